// Interlace: what a reader can choose of a sweep's chart
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Cell, SweepPart } from "../document";
import { cellOf, depthOr } from "./columns";

export interface Choices {
    x: string;
    y: string;
    slowDown: boolean; // y over the best y of its series
    logX: boolean | null; // null: where the values ask for it
    logY: boolean | null;
    filter: Filter[]; // all have to hold
    xLabel?: string; // in place of the column's label and unit
    yLabel?: string;
}

/** Rows whose cell in the column reads so. */
export interface Filter {
    column: string;
    value: string;
}

const decades = 2;

/** A number does in full, and in the six digits that readers see. */
function reads(column: string, cell: Cell, value: string): boolean {
    if (typeof cell !== "number" || depthOr(column, cell) === value) return String(depthOr(column, cell)) === value;
    return value !== "" && [cell, parseFloat(cell.toPrecision(6))].indexOf(Number(value)) >= 0;
}

/** The part with those rows alone for which the filter holds. */
export function filtered(part: SweepPart, filter: Filter[]): SweepPart {
    const holds = (row: Cell[]) => filter.every(({ column, value }) => reads(column, cellOf(part, row, column), value));
    return filter.length === 0 ? part : { ...part, rows: part.rows.filter(holds) };
}

/** Whether an axis of these values can be logarithmic. */
export function positive(values: number[]): boolean {
    return values.length > 0 && values.every((value) => value > 0);
}

/** Whether it is, where nobody chose: values span two decades. */
export function spansDecades(values: number[]): boolean {
    return positive(values) && Math.max.apply(null, values) >= Math.pow(10, decades) * Math.min.apply(null, values);
}
