// Interlace: what a reader can choose of a sweep's chart, and what is worth seeing first
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Cell, SweepPart } from "../document";
import { cells, different, isNumeric, xColumns, yColumns } from "./columns";

export interface Choices {
    x: string;
    y: string;
    slowDown: boolean; // y over the best y of its series
    logX: boolean | null; // null: where the values ask for it
    logY: boolean | null;
    filter: Filter[]; // all have to hold
    xLabel?: string; // in place of the column's name and unit
    yLabel?: string;
}

/** Rows whose cell in the column reads so. */
export interface Filter {
    column: string;
    value: string;
}

const load = "traffic.load";
const depth = /depth|capacity/;
const decades = 2;

// What each kind of study measures; the first that its points have is shown first.
const measures: { [study: string]: string[] } = {
    broadcast: ["cycles", "steps"],
    traffic: ["latency_mean", "saturation_load", "accepted_load"],
    allgather: ["seconds", "throughput_mbps"],
    alltoall: ["throughput_mbps", "seconds"],
    multicast: ["seconds", "throughput_mbps"],
};
const anyMeasure = ["cycles", "latency_mean", "seconds", "milliseconds", "saturation_load", "steps"];

function defaultX(part: SweepPart, xs: string[]): string {
    const numeric = xs.filter((column) => isNumeric(part, column));
    const values = (column: string) => different(cells(part, column)).length;
    const most = numeric.slice().sort((a, b) => values(b) - values(a));
    return numeric.indexOf(load) >= 0 ? load : numeric.filter((column) => depth.test(column))[0] || most[0] || xs[0];
}

/** What is worth seeing first; null where nothing can be drawn. */
export function defaultChoices(part: SweepPart): Choices | null {
    const xs = xColumns(part);
    const ys = yColumns(part);
    if (xs.length === 0 || ys.length === 0) return null;
    const wanted = (measures[part.study] || []).concat(anyMeasure);
    const y = wanted.filter((column) => ys.indexOf(column) >= 0)[0] || ys[0];
    return { x: defaultX(part, xs), y, slowDown: false, logX: null, logY: null, filter: [] };
}

/** A number does in full, and in the six digits that readers see. */
function reads(cell: Cell, value: string): boolean {
    if (typeof cell !== "number") return String(cell) === value;
    return value !== "" && [cell, parseFloat(cell.toPrecision(6))].indexOf(Number(value)) >= 0;
}

/** The part with those rows alone for which the filter holds. */
export function filtered(part: SweepPart, filter: Filter[]): SweepPart {
    const holds = (row: Cell[]) => filter.every(({ column, value }) => reads(row[part.columns.indexOf(column)], value));
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

/** Depths and capacities are tried in powers of two. */
export function isDepth(column: string): boolean {
    return depth.test(column);
}
