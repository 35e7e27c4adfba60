// Interlace: the section of a search for queue depths
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { aloneChart, paretoChart } from "../charts/size";
import { SizePart } from "../document";
import { percent, shown } from "../text";
import { ChartView } from "./chart_view";
import { element } from "./element";
import { facts, table } from "./table";

const interval = "\u00b1 (95%)";

function withInterval(point: { slow_down?: number | null; half_interval?: number }): string | number {
    if (point.slow_down === null || point.slow_down === undefined) return "failed";
    return point.half_interval === undefined ? point.slow_down : shown(point.slow_down) + " \u00b1 " + shown(point.half_interval);
}

/** How far the answer can be trusted, and for which depths of the other queues it holds. */
function intervalFacts(part: SizePart): [string, string | number][] {
    const facts: [string, string | number][] = [];
    const confirmed = part.joint.confirmed;
    if (confirmed) facts.push([confirmed.held ? "confirmed" : "NOT CONFIRMED", withInterval(confirmed) + " under " + confirmed.seeds + " other seeds"]);
    if (part.random && part.seeds === 1) facts.push(["intervals", "none: one seed; another may need deeper queues"]);
    const fixed = Object.keys(part.fixed || {}).map((queue) => queue + " " + ((part.fixed as { [queue: string]: number | null })[queue] ?? "infinite"));
    if (fixed.length > 0) facts.push(["fixed, not counted in bytes (" + part.unit + ")", fixed.join(", ")]);
    return facts;
}

export function sizeSection(part: SizePart, id: string): HTMLElement[] {
    const alone = new ChartView(id + "-slow-down", (theme, room) => aloneChart(part, theme, room));
    const pareto = new ChartView(id + "-pareto", (theme, room) => paretoChart(part, theme, room));
    const failed = part.tried.filter((point) => point.slow_down === null).length;
    const depths = part.queues.map((queue, index) => queue + " " + part.joint.depths[index]).join(", ");
    const answer: [string, string | number][] = [
        ...(part.carried === false ? [["saturated", Object.keys(part.fixed || {}).length > 0 ? "with the fixed queues, the others infinite" : "even with infinite queues"] as [string, string]] : []),
        ["smallest depths together (" + part.unit + ")", depths],
        ["bytes per node", part.joint.bytes as number],
        ["slow-down", withInterval(part.joint)],
        ...intervalFacts(part),
        ["tolerance", percent(part.tolerance)],
        [part.measure + " with infinite queues", part.reference],
    ];
    const sampled = part.front.some((point) => point.half_interval !== undefined);
    const heads = part.queues.map((queue) => queue + " (" + part.unit + ")").concat("slow-down", sampled ? interval : [], part.measure, "bytes per node");
    const rows = part.front.map((point) => [...point.depths, point.slow_down, ...(sampled ? [point.half_interval as number] : []), point.measure, point.bytes]);
    const each = part.alone.map((one) => [one.queue, one.within, ...(sampled ? [withInterval(one)] : []), one.free, one.not_monotone]);
    const notMonotone = part.alone.some((one) => one.not_monotone !== "");
    const eachHeads = ["queue", "within " + percent(part.tolerance) + " (" + part.unit + ")", ...(sampled ? ["slow-down"] : []), "without loss (" + part.unit + ")"];
    return [
        facts("Recommended", answer),
        element("h3", {}, "Each class alone"),
        alone.figure,
        table("Minimum depth of each class, the others infinite", notMonotone ? eachHeads.concat("not monotone") : eachHeads,
            notMonotone ? each : each.map((row) => row.slice(0, -1))),
        element("h3", {}, "All classes together"),
        pareto.figure,
        element("p", {}, part.tried.length + " configurations tried" + (failed > 0 ? ", of which " + failed + " failed" : "") + "."),
        table("Pareto front: nothing tried beats these in both bytes and slow-down", heads, rows),
    ];
}
