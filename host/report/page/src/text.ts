// Interlace: numbers, names and units as a reader sees them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Cell } from "./document";

/** Six significant digits, whole numbers in full. */
export function shown(value: Cell | undefined): string {
    if (value === null || value === undefined) return "";
    if (typeof value !== "number" || value % 1 === 0) return String(value);
    return String(parseFloat(value.toPrecision(6)));
}

export function percent(share: number): string {
    return shown(parseFloat((share * 100).toPrecision(4))) + "%";
}

export function escapeHtml(text: string): string {
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** The lines of a tooltip; the first is its heading. */
export function tooltip(heading: string, ...lines: string[]): string {
    return "<strong>" + escapeHtml(heading) + "</strong>" + lines.map((line) => "<br>" + escapeHtml(line)).join("");
}

/** A part's name as (part of) a file name or an element's id. */
export function slug(text: string): string {
    return text.replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "") || "part";
}

export function joined(...texts: string[]): string {
    return texts.filter((text) => text !== "").join(", ");
}
