// Interlace: choosers with their labels
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { element } from "./element";

/** `shown`: an option as readers see it. */
export function select(label: string, options: string[], chosen: string, onChange: (value: string) => void, shown = (option: string) => option): HTMLElement {
    const box = element("select", {}, ...options.map((option) => element("option", { value: option }, shown(option))));
    box.selectedIndex = Math.max(0, options.indexOf(chosen));
    box.onchange = () => onChange(options[box.selectedIndex]);
    return element("label", {}, label, " ", box);
}

export function checkbox(label: string, checked: boolean, onChange: (checked: boolean) => void): HTMLElement {
    const box = element("input", { type: "checkbox" });
    box.checked = checked;
    box.onchange = () => onChange(box.checked);
    return element("label", {}, box, " ", label);
}

export function textBox(label: string, value: string, onChange: (value: string) => void): HTMLElement {
    const box = element("input", { type: "search" });
    box.value = value;
    box.oninput = () => onChange(box.value);
    return element("label", {}, label, " ", box);
}

export function button(label: string, onClick: () => void): HTMLElement {
    const made = element("button", { type: "button" }, label);
    made.onclick = onClick;
    return made;
}

/** Shows another value of a checkbox, as if it had been clicked. */
export function check(box: HTMLElement, checked: boolean) {
    (box.querySelector("input") as HTMLInputElement).checked = checked;
}

export function controls(...children: HTMLElement[]): HTMLElement {
    return element("div", { class: "controls" }, ...children);
}
