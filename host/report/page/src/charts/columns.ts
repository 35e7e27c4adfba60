// Interlace: what the columns of a sweep are
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Cell, Column, SweepPart } from "../document";
import { shown } from "../text";

// What `interlace results` shows first, and what it does not know of.
const chief = [
    "steps", "lower_bound", "cycles", "seconds", "latency_us", "saturation_load", "accepted_load",
    "throughput_mbps", "latency_mean", "latency_p99", "packets_missing", "packets_dropped",
];

/** What stands in the place of a latency where the network did not carry the load. */
export const saturated = "saturated";

export function names(part: SweepPart): string[] {
    return part.columns.map(({ name }) => name);
}

/** Undefined where the sweep has no such column. */
export function cellOf(part: SweepPart, row: Cell[], column: string): Cell {
    return row[names(part).indexOf(column)];
}

export function cells(part: SweepPart, column: string): Cell[] {
    const index = names(part).indexOf(column);
    return part.rows.map((row) => row[index]);
}

function columnOf(part: SweepPart, name: string): Column {
    return part.columns.filter((column) => column.name === name)[0];
}

export function labelOf(part: SweepPart, name: string): string {
    return columnOf(part, name).label;
}

/** "" where the label says it, as "Dropped packets" does. */
function unitOf({ label, unit }: Column): string {
    return label.toLowerCase().split(/[ ,]+/).indexOf(unit) >= 0 ? "" : unit;
}

/** "Mean latency (cycles)" of latency_mean. */
export function withUnit(part: SweepPart, name: string): string {
    const column = columnOf(part, name);
    return column.label + (unitOf(column) ? " (" + unitOf(column) + ")" : "");
}

/** "Offered load 0.2" of traffic.load; an infinite depth has a word. */
export function labelAndValue(part: SweepPart, name: string, value: Cell): string {
    return labelOf(part, name) + " " + depthOr(name, value);
}

/** "Mean latency 46.2 cycles". */
export function labelValueUnit(part: SweepPart, name: string, value: Cell): string {
    const column = columnOf(part, name);
    return column.label + " " + shown(value) + (unitOf(column) ? " " + unitOf(column) : "");
}

/** Whether the row is below saturation; true for all experiments without a load. */
export function isCarried(part: SweepPart, row: number): boolean {
    const cell = cellOf(part, part.rows[row], "carried");
    return cell !== 0 && cell !== false && part.rows[row].indexOf(saturated) < 0;
}

export function isNumeric(part: SweepPart, column: string): boolean {
    const known = cells(part, column).filter((cell) => cell !== null && cell !== saturated);
    return known.length > 0 && known.every((cell) => typeof cell === "number");
}

/** Whether it is the depth of a queue, of which 0 is infinite. */
export function isDepth(column: string): boolean {
    return /(depth|capacity)$/.test(column);
}

/** A cell as readers see it: an infinite queue has depth 0, which no axis has a place for. */
export function depthOr(column: string, value: Cell): Cell {
    return value === 0 && isDepth(column) ? "infinite" : value;
}

export function different(values: Cell[]): Cell[] {
    return values.filter((value, index) => values.indexOf(value) === index);
}

export function measured(part: SweepPart): string[] {
    return names(part).slice(part.swept.length);
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
