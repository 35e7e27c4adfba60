// Interlace: tables as files for other programs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Cell } from "../document";
import { element } from "./element";

/** RFC 4180: a cell with a comma, a quotation mark or a line break is quoted. */
export function csv(heads: string[], rows: Cell[][]): string {
    const cellText = (cell: Cell) => (cell === null ? "" : String(cell));
    const quoted = (text: string) => (/[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text);
    return [heads as Cell[], ...rows].map((row) => row.map((cell) => quoted(cellText(cell))).join(",") + "\r\n").join("");
}

/** Lets the reader save `text` under this name. */
export function save(name: string, text: string) {
    const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    element("a", { href: address, download: name }).click();
    window.setTimeout(() => URL.revokeObjectURL(address), 60000); // browsers read it after the click
}
