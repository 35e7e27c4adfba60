// Interlace: what of a sweep is worth seeing first
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Cell, SweepPart } from "../document";
import { Choices, Filter, filtered } from "./choices";
import { cells, depthOr, different, isDepth, isNumeric, xColumns, yColumns } from "./columns";
import { seriesOf } from "./series";

const load = "traffic.load";
const mostSeries = 20; // that one chart has room for

// What each kind of study measures; the first that its points have is shown first.
const measures: { [study: string]: string[] } = {
    broadcast: ["cycles", "steps"],
    traffic: ["latency_mean", "saturation_load", "accepted_load"],
    allgather: ["seconds", "throughput_mbps"],
    alltoall: ["throughput_mbps", "seconds"],
    multicast: ["seconds", "throughput_mbps"],
};
const anyMeasure = ["cycles", "latency_mean", "seconds", "saturation_load", "steps"];

/** The first of the columns with the most values; engines sort equal ones in different orders. */
function mostVaried(part: SweepPart, columns: string[]): string | undefined {
    const values = (column: string) => different(cells(part, column)).length;
    const most = Math.max.apply(null, columns.map(values));
    return columns.filter((column) => values(column) === most)[0];
}

function defaultX(part: SweepPart, xs: string[]): string {
    const numeric = xs.filter((column) => isNumeric(part, column));
    return numeric.indexOf(load) >= 0 ? load : numeric.filter((column) => isDepth(column))[0] || mostVaried(part, numeric) || xs[0];
}

/** Of the column that tells most series apart: infinite depths, or the value that most rows have. */
function oneValueOf(part: SweepPart, { x, filter }: Choices): Filter {
    const left = filtered(part, filter);
    const values = (column: string) => different(cells(left, column));
    const column = mostVaried(left, xColumns(left).filter((one) => one !== x)) as string;
    const rows = (value: Cell) => cells(left, column).filter((one) => one === value).length;
    const rank = (value: Cell) => (depthOr(column, value) !== value ? Infinity : rows(value));
    const value = values(column).reduce((best, one) => (rank(one) > rank(best) ? one : best));
    return { column, value: String(depthOr(column, value)) };
}

/** What is worth seeing first, against `x` if it is given; null where nothing can be drawn. */
export function defaultChoices(part: SweepPart, x?: string): Choices | null {
    const xs = xColumns(part);
    const ys = yColumns(part);
    if (xs.length === 0 || ys.length === 0) return null;
    const wanted = (measures[part.study] || []).concat(anyMeasure);
    const y = wanted.filter((column) => ys.indexOf(column) >= 0)[0] || ys[0];
    const choices: Choices = { x: x || defaultX(part, xs), y, slowDown: false, logX: null, logY: null, filter: [] };
    while (seriesOf(part, choices).length > mostSeries) choices.filter.push(oneValueOf(part, choices));
    return choices;
}
