// Interlace: how far a sweep has come
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { SweepPart } from "../document";
import { element } from "./element";

/** A bar and its sentence; nothing where every point has been run. */
export function progress(part: SweepPart): HTMLElement[] {
    const all = part.rows.length;
    if (!part.pending) return [];
    const ended = all - part.pending;
    const bar = element("progress", { max: String(all), value: String(ended), "aria-label": "points done" });
    const failed = part.failed.length > 0 ? ", " + part.failed.length + " of them failed" : "";
    return [element("p", { class: "progress" }, bar, " " + ended + " of " + all + " points done" + failed)];
}
