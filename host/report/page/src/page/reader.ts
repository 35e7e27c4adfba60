// Interlace: where a reader is in the page, which is drawn anew beneath
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0

const moment = 1000; // milliseconds after the last touch
const choosing = 10000; // with a list of choices that may be open, or a text half written
let last = 0;

for (const event of ["pointerdown", "pointermove", "keydown", "wheel", "input"])
    window.addEventListener(event, ({ type, buttons }: Event & { buttons?: number }) => {
        if (type !== "pointermove" || buttons) last = Date.now();
    });

/** Whether the reader is in the middle of something: a list is open, a text is being written, a slider held, a film runs. */
export function isBusy(): boolean {
    const focused = document.activeElement;
    const since = Date.now() - last;
    const chooses = focused !== null && (focused.tagName === "SELECT" || focused.matches("input[type=search]"));
    return since < moment || (chooses && since < choosing) || document.querySelector(".plays") !== null;
}

const focusable = "select, input, button, summary, a, .table";

function all<T extends Element>(section: Element, selector: string): T[] {
    return Array.prototype.slice.call(section.querySelectorAll(selector));
}

/** Does `draw`, which makes the sections of `root` anew, and then brings the reader back to where they were. */
export function keepPlace(root: Element, draw: () => void) {
    const top = window.pageYOffset;
    const writes = document.activeElement;
    const caret = writes instanceof HTMLInputElement && writes.type === "search" ? [writes.selectionStart, writes.selectionEnd] : null;
    const places = all<HTMLElement>(root, "section").map((section) => ({
        id: section.id,
        open: all<HTMLDetailsElement>(section, "details").map((one) => one.open),
        scrolled: all<HTMLElement>(section, ".table").map((one) => [one.scrollLeft, one.scrollTop]),
        focus: all<Element>(section, focusable).indexOf(document.activeElement as Element),
    }));
    draw();
    for (const { id, open, scrolled, focus } of places) {
        const section = document.getElementById(id);
        if (section === null) continue;
        all<HTMLDetailsElement>(section, "details").forEach((one, index) => (one.open = !!open[index]));
        all<HTMLElement>(section, ".table").forEach((one, index) => scrolled[index] && ([one.scrollLeft, one.scrollTop] = scrolled[index]));
        const focused = all<HTMLElement>(section, focusable)[focus];
        if (focused) focused.focus({ preventScroll: true });
        if (focused && caret) (focused as HTMLInputElement).setSelectionRange(caret[0], caret[1]);
    }
    window.scrollTo({ top, behavior: "instant" });
}
