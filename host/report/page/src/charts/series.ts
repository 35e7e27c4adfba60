// Interlace: a sweep's points as series of a chart
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Cell, SweepPart } from "../document";

export interface Choices {
    x: string;
    y: string;
    slowDown: boolean; // y over the best y of its series
    logX: boolean;
    logY: boolean;
}

export interface Series {
    name: string;
    points: { x: number | string; y: number; row: number }[]; // by x
    knee: number | null; // index of a point
}

// What `interlace results` shows first, and what it does not know of.
const chief = [
    "steps", "lower_bound", "cycles", "seconds", "milliseconds", "latency_us", "saturation_load", "accepted_load",
    "throughput_mbps", "latency_mean", "latency_p99", "packets_missing", "packets_dropped",
];
const preferred = ["cycles", "latency_mean", "seconds", "milliseconds", "saturation_load", "steps"];
const moreIsBetter = ["accepted_load", "saturation_load", "throughput_mbps"];
const depth = /depth|capacity/;
const isDepth = /(depth|capacity)$/;
const kneeTolerance = 0.02;

export function cells(part: SweepPart, column: string): Cell[] {
    const index = part.columns.indexOf(column);
    return part.rows.map((row) => row[index]);
}

/** What stands in the place of a latency where the network did not carry the load. */
export const notCarried = "not carried";

export function isNumeric(part: SweepPart, column: string): boolean {
    const known = cells(part, column).filter((cell) => cell !== null && cell !== notCarried);
    return known.length > 0 && known.every((cell) => typeof cell === "number");
}

function different(values: Cell[]): Cell[] {
    return values.filter((value, index) => values.indexOf(value) === index);
}

export function measured(part: SweepPart): string[] {
    return part.columns.slice(part.swept.length);
}

export function chiefColumns(part: SweepPart): string[] {
    const measurements = measured(part);
    const known = measurements.filter((column) => chief.indexOf(column) >= 0);
    return part.swept.concat(known.length > 0 ? known : measurements.slice(0, 4));
}

export function xColumns(part: SweepPart): string[] {
    return part.swept.filter((column) => different(cells(part, column)).length > 1);
}

export function yColumns(part: SweepPart): string[] {
    return measured(part).filter((column) => isNumeric(part, column));
}

/** What is worth seeing first; null where nothing can be drawn. */
export function defaultChoices(part: SweepPart): Choices | null {
    const xs = xColumns(part);
    const ys = yColumns(part);
    if (xs.length === 0 || ys.length === 0) return null;
    const numeric = xs.filter((column) => isNumeric(part, column));
    const values = (column: string) => different(cells(part, column)).length;
    const most = numeric.slice().sort((a, b) => values(b) - values(a));
    const x = numeric.indexOf("traffic.load") >= 0
        ? "traffic.load"
        : numeric.filter((column) => depth.test(column))[0] || most[0] || xs[0];
    const wanted = x === "traffic.load" ? ["latency_mean"].concat(preferred) : preferred;
    const y = wanted.filter((column) => ys.indexOf(column) >= 0)[0] || ys[0];
    return { x, y, slowDown: false, logX: depth.test(x), logY: x === "traffic.load" && y === "latency_mean" };
}

/** The columns that tell series apart: swept, and not settled by x alone (as what varies together with x is). */
function keys(part: SweepPart, x: string): string[] {
    const xs = cells(part, x);
    return xColumns(part).filter((column) => {
        if (column === x) return false;
        const values = cells(part, column);
        return xs.some((value, row) => values[xs.indexOf(value)] !== values[row]);
    });
}

/** An endless queue has depth 0, which no axis has a place for. */
function depthOr(column: string, value: Cell): Cell {
    return value === 0 && isDepth.test(column) ? "endless" : value;
}

export function seriesOf(part: SweepPart, choices: Choices): Series[] {
    const columns = keys(part, choices.x);
    const keyCells = columns.map((column) => cells(part, column));
    const xs = cells(part, choices.x);
    const ys = cells(part, choices.y);
    const names: string[] = [];
    const found: Series[] = [];
    const left: string[][] = []; // values of x at which the load was not carried, of each series
    part.rows.forEach((_, row) => {
        const name = columns.map((column, index) => column + " " + depthOr(column, keyCells[index][row])).join(", ") || choices.y;
        if (names.indexOf(name) < 0) {
            names.push(name);
            left.push([]);
            found.push({ name, points: [], knee: null });
        }
        const x = xs[row];
        const y = ys[row];
        if (y === notCarried) left[names.indexOf(name)].push(String(depthOr(choices.x, x)));
        if (typeof y !== "number" || x === null || depthOr(choices.x, x) !== x) return;
        found[names.indexOf(name)].points.push({ x: typeof x === "number" ? x : String(x), y, row });
    });
    const wanted = choices.slowDown || isDepth.test(choices.x);
    for (const series of found) {
        if (isNumeric(part, choices.x)) series.points.sort((a, b) => (a.x as number) - (b.x as number));
        if (choices.slowDown) slowDown(series, moreIsBetter.indexOf(choices.y) >= 0);
        if (wanted && isNumeric(part, choices.x)) series.knee = knee(series.points.map((point) => point.y));
    }
    found.forEach((series, index) => {
        if (left[index].length > 0) series.name += " (" + notCarried + " at " + left[index].join(", ") + ")";
    });
    return found.filter((series) => series.points.length > 0);
}

function slowDown(series: Series, more: boolean) {
    const ys = series.points.map((point) => point.y);
    const best = more ? Math.max.apply(null, ys) : Math.min.apply(null, ys);
    for (const point of series.points) point.y = more ? best / point.y : point.y / best;
}

/** The first point from which on all are within 2% of the last; null where that is the last one itself. */
export function knee(ys: number[]): number | null {
    const last = ys[ys.length - 1];
    let first = ys.length - 1;
    while (first > 0 && Math.abs(ys[first - 1] - last) <= kneeTolerance * Math.abs(last)) --first;
    return first < ys.length - 1 ? first : null;
}
