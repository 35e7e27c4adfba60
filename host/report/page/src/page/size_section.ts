// Interlace: the section of a search for queue depths
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { aloneChart, paretoChart } from "../charts/size";
import { SizePart } from "../document";
import { percent } from "../text";
import { ChartView } from "./chart_view";
import { element } from "./element";
import { facts, table } from "./table";

export function sizeSection(part: SizePart, id: string): HTMLElement[] {
    const alone = new ChartView(id + "-slow-down", (theme, room) => aloneChart(part, theme, room));
    const pareto = new ChartView(id + "-pareto", (theme, room) => paretoChart(part, theme, room));
    const failed = part.tried.filter((point) => point.slow_down === null).length;
    const depths = part.queues.map((queue, index) => queue + " " + part.joint.depths[index]).join(", ");
    const answer: [string, string | number][] = [
        ...(part.carried === false ? [["load", "not carried even with infinite queues"] as [string, string]] : []),
        ["smallest depths together (" + part.unit + ")", depths],
        ["bytes per node", part.joint.bytes as number],
        ["slow-down", part.joint.slow_down === null ? "failed" : part.joint.slow_down],
        ...(part.joint.half_interval ? [["\u00b1 (95%)", part.joint.half_interval] as [string, number]] : []),
        ["tolerance", percent(part.tolerance)],
        [part.measure + " with infinite queues", part.reference],
    ];
    const heads = part.queues.map((queue) => queue + " (" + part.unit + ")").concat("slow-down", part.measure, "bytes per node");
    const rows = part.front.map((point) => [...point.depths, point.slow_down, point.measure, point.bytes]);
    const each = part.alone.map((one) => [one.queue, one.within, one.free, one.not_monotone]);
    const notMonotone = part.alone.some((one) => one.not_monotone !== "");
    const eachHeads = ["queue", "within " + percent(part.tolerance) + " (" + part.unit + ")", "without loss (" + part.unit + ")"];
    return [
        facts("Recommended", answer),
        element("h3", {}, "Each class alone"),
        alone.figure,
        table("Minimum depth of each class, the others infinite", notMonotone ? eachHeads.concat("not monotone") : eachHeads,
            notMonotone ? each : each.map((row) => row.slice(0, 3))),
        element("h3", {}, "All classes together"),
        pareto.figure,
        element("p", {}, part.tried.length + " configurations tried" + (failed > 0 ? ", of which " + failed + " failed" : "") + "."),
        table("Pareto front: nothing tried beats these in both bytes and slow-down", heads, rows),
    ];
}
