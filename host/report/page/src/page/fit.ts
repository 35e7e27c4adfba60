// Interlace: tables in rooms that are narrower than they are
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0

const smallest = 0.7; // of the usual size of letters, on paper

const fitted = new ResizeObserver((changes) => changes.forEach(({ target }) => fit(target as HTMLElement, target.clientWidth, 1)));

/** Fits the table in `room` whenever the room's width changes. */
export function keepFitting(room: HTMLElement) {
    fitted.observe(room);
}

/** On paper `width` pixels wide. */
export function fitToPaper(width: number) {
    forAll((room) => fit(room, width, smallest));
}

export function fitToScreen() {
    forAll((room) => fit(room, room.clientWidth, 1));
}

function forAll(action: (room: HTMLElement) => void) {
    const rooms = document.querySelectorAll(".table");
    for (let i = 0; i < rooms.length; ++i) action(rooms[i] as HTMLElement);
}

/** No column is cut: letters are smaller, down to a share of their size, and where that is not enough each row's cells stand one under the other. */
function fit(room: HTMLElement, width: number, least: number) {
    const table = room.firstChild as HTMLElement;
    room.classList.remove("stacked");
    table.style.fontSize = "";
    table.style.width = "min-content";
    const share = width / table.offsetWidth;
    table.style.width = "";
    if (share >= 1) return;
    if (share < least) room.classList.add("stacked");
    else table.style.fontSize = "calc(" + Math.floor(share * 100) / 100 + " * var(--table-text))";
}
