// Interlace: what a reader has chosen, in the page's address, so that a link shows the same
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// "#part-2-latency&2.y=accepted_load&2.only.traffic.pattern=uniform": the section that was gone to, and of each part, by
// its number, what is otherwise than shown first.

const pause = 100; // milliseconds: browsers refuse an address that changes with every frame of a film
let section = "";
let chosen: { [name: string]: string } = {};
let timer = 0;

/** What was chosen of one part. */
export interface Settings {
    /** `otherwise` where nothing was chosen, or what is not among `allowed`. */
    get(name: string, otherwise: string, allowed?: string[]): string;
    /** Forgets what is chosen where it is `otherwise`, which it would be anyway. */
    set(name: string, value: string, otherwise: string): void;
}

export function settingsOf(part: number): Settings {
    const key = (name: string) => part + "." + name;
    return {
        get(name, otherwise, allowed) {
            const value = chosen[key(name)];
            return value === undefined || (allowed && allowed.indexOf(value) < 0) ? otherwise : value;
        },
        set(name, value, otherwise) {
            if (value === otherwise) delete chosen[key(name)];
            else chosen[key(name)] = value;
            write();
        },
    };
}

/** From the address, as it is when the page opens or a reader has changed it. */
export function readAddress() {
    window.clearTimeout(timer);
    section = "";
    chosen = {};
    for (const item of location.hash.slice(1).split("&")) {
        const [name, value] = item.split("=").map(decoded);
        if (value !== undefined) chosen[name] = value;
        else if (!section) section = name;
    }
}

export function goTo(id: string) {
    section = id;
    write();
    scrollToSection();
}

/** The browser itself finds no section in an address that has settings, too. */
export function scrollToSection() {
    const target = document.getElementById(section);
    if (target) target.scrollIntoView();
}

function decoded(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

function write() {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
        const items = Object.keys(chosen).map((name) => encodeURIComponent(name) + "=" + encodeURIComponent(chosen[name]));
        const hash = (section ? [encodeURIComponent(section)] : []).concat(items).join("&");
        history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
    }, pause);
}
