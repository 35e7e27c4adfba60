// Interlace: elements of the page
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0

type Child = Node | string;

/** element("td", {class: "number"}, "12"): attributes as in HTML, texts as texts. */
export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: { [name: string]: string } = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);
    for (const name of Object.keys(attributes)) made.setAttribute(name, attributes[name]);
    for (const child of children) made.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
    return made;
}

export function clear(parent: Element) {
    while (parent.firstChild) parent.removeChild(parent.firstChild);
}
