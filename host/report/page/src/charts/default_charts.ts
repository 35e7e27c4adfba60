// Interlace: every chart of a part, as it is shown first
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Part, RunPart } from "../document";
import { Chart, Room } from "./chart";
import { Choices, filtered } from "./choices";
import { defaultChoices } from "./default_choices";
import { drawingChart, isDrawn } from "./drawing";
import { linksChart, linksOverTimeChart, meanOfPorts } from "./links";
import { occupancyChart } from "./occupancy";
import { publishedChart } from "./published";
import { aloneChart, paretoChart } from "./size";
import { sweepChart } from "./sweep";
import { Theme } from "./theme";
import { timeChart } from "./time";
import { halfTime, wavefrontChart } from "./wavefront";

/** `chosen` of the charts of sweeps, in place of what they show first. */
export function defaultCharts(part: Part, theme: Theme, room: Room, chosen: Partial<Choices> = {}): Chart[] {
    if (part.kind === "sweep") {
        const asked = chosen.filter || [];
        const choices = defaultChoices(filtered(part, asked), chosen.x) || defaultChoices(part, chosen.x);
        return choices === null ? [] : [sweepChart(part, { ...choices, ...chosen, filter: asked.concat(choices.filter) }, theme, room)];
    }
    if (part.kind === "size") return [aloneChart(part, theme, room), paretoChart(part, theme, room)];
    if (part.kind === "run") return runCharts(part, theme, room);
    const charts: Chart[] = [];
    for (const table of part.tables) {
        const chart = publishedChart(table, theme, room);
        if (chart !== null) charts.push(chart);
    }
    return charts;
}

function runCharts(part: RunPart, theme: Theme, room: Room): Chart[] {
    const charts: Chart[] = [];
    if (part.queues) charts.push(occupancyChart(part.queues, theme, room));
    if (part.links) charts.push(linksChart(part.links, meanOfPorts, theme, room));
    if (part.links && isDrawn(part.links)) charts.push(drawingChart(part.links, theme, room));
    if (part.links && part.links.over_time.length > 0) charts.push(linksOverTimeChart(part.links, theme, room));
    if (part.wavefront) charts.push(wavefrontChart(part.wavefront, halfTime(part.wavefront), theme, room));
    return charts.concat(perStepCharts(part, theme, room));
}

export function perStepCharts(part: RunPart, theme: Theme, room: Room): Chart[] {
    if (part.per_step === null) return [];
    const { unit, in_flight, utilisation } = part.per_step;
    const lines = [
        { kind: "in-flight", values: in_flight, quantity: "packets in flight" },
        { kind: "utilisation", values: utilisation, quantity: "link utilisation" },
    ];
    return lines
        .filter((line) => line.values.length > 0)
        .map((line) => timeChart({ ...line, window: 1, unit }, theme, room));
}
