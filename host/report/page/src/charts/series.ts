// Interlace: a sweep's points as series of a chart
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { SweepPart } from "../document";
import { Choices, filtered } from "./choices";
import { cells, depthOr, isCarried, isDepth, isNumeric, labelAndValue, labelOf, saturated, xColumns } from "./columns";

export interface Point {
    x: number | string;
    y: number;
    half: number; // of the interval of y, 95%; 0: of one run
    carried: boolean;
}

export interface Series {
    name: string;
    points: Point[]; // by x
    ends: { x: number | string }[]; // saturated loads, whose y is nowhere, by x
    knee: number | null; // index of a point
}

const moreIsBetter = ["accepted_load", "saturation_load", "throughput_mbps"];
const kneeTolerance = 0.02;

/** The columns that tell series apart: swept, and not settled by x alone (as what varies together with x is). */
function keys(part: SweepPart, x: string): string[] {
    const xs = cells(part, x);
    return xColumns(part).filter((column) => {
        if (column === x) return false;
        const values = cells(part, column);
        return xs.some((value, row) => values[xs.indexOf(value)] !== values[row]);
    });
}

export function seriesOf(all: SweepPart, choices: Choices): Series[] {
    const part = filtered(all, choices.filter);
    const columns = keys(part, choices.x);
    const keyCells = columns.map((column) => cells(part, column));
    const xs = cells(part, choices.x);
    const ys = cells(part, choices.y);
    const halves = cells(part, choices.y + "_of_runs.half_interval");
    const found: Series[] = [];
    part.rows.forEach((_, row) => {
        const name = columns.map((column, index) => labelAndValue(part, column, keyCells[index][row])).join(", ") || labelOf(part, choices.y);
        let series = found.filter((one) => one.name === name)[0];
        if (!series) found.push((series = { name, points: [], ends: [], knee: null }));
        const [cell, y] = [xs[row], ys[row]];
        if (cell === null || depthOr(choices.x, cell) !== cell) return;
        const x = typeof cell === "number" ? cell : String(cell);
        if (y === saturated) series.ends.push({ x });
        if (typeof y === "number") series.points.push({ x, y, half: Number(halves[row]) || 0, carried: isCarried(part, row) });
    });
    const numeric = isNumeric(all, choices.x);
    const wanted = choices.slowDown || isDepth(choices.x);
    for (const series of found) {
        if (numeric) for (const list of [series.points, series.ends]) list.sort((a, b) => (a.x as number) - (b.x as number));
        if (choices.slowDown) slowDown(series, moreIsBetter.indexOf(choices.y) >= 0);
        if (wanted && numeric) series.knee = knee(series.points.map((point) => point.y));
    }
    return found.filter((series) => series.points.length + series.ends.length > 0);
}

function slowDown(series: Series, more: boolean) {
    const ys = series.points.map((point) => point.y);
    const best = more ? Math.max.apply(null, ys) : Math.min.apply(null, ys);
    for (const point of series.points) {
        const y = more ? best / point.y : point.y / best;
        point.half = (y * point.half) / point.y; // as large a share
        point.y = y;
    }
}

/** The first point from which on all are within 2% of the last; null where that is the last one itself. */
export function knee(ys: number[]): number | null {
    const last = ys[ys.length - 1];
    let first = ys.length - 1;
    while (first > 0 && Math.abs(ys[first - 1] - last) <= kneeTolerance * Math.abs(last)) --first;
    return first < ys.length - 1 ? first : null;
}
