// Interlace: every chart of a part, as it is shown first
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Part, RunPart } from "../document";
import { Chart } from "./chart";
import { defaultChoices } from "./choices";
import { linksChart, linksOverTimeChart, meanOfPorts } from "./links";
import { occupancyChart } from "./occupancy";
import { publishedChart } from "./published";
import { aloneChart, paretoChart } from "./size";
import { sweepChart } from "./sweep";
import { Theme } from "./theme";
import { timeChart } from "./time";
import { halfTime, wavefrontChart } from "./wavefront";

export function defaultCharts(part: Part, theme: Theme, width: number): Chart[] {
    if (part.kind === "sweep") {
        const choices = defaultChoices(part);
        return choices === null ? [] : [sweepChart(part, choices, theme)];
    }
    if (part.kind === "size") return [aloneChart(part, theme), paretoChart(part, theme)];
    if (part.kind === "run") return runCharts(part, theme, width);
    const charts: Chart[] = [];
    for (const table of part.tables) {
        const chart = publishedChart(table, theme);
        if (chart !== null) charts.push(chart);
    }
    return charts;
}

function runCharts(part: RunPart, theme: Theme, width: number): Chart[] {
    const charts: Chart[] = [];
    if (part.queues) charts.push(occupancyChart(part.queues, theme));
    if (part.links) charts.push(linksChart(part.links, meanOfPorts, theme, width));
    if (part.links && part.links.over_time.length > 0) charts.push(linksOverTimeChart(part.links, theme));
    if (part.wavefront) charts.push(wavefrontChart(part.wavefront, halfTime(part.wavefront), theme, width));
    return charts.concat(perStepCharts(part, theme));
}

export function perStepCharts(part: RunPart, theme: Theme): Chart[] {
    if (part.per_step === null) return [];
    const { unit, in_flight, utilisation } = part.per_step;
    const lines = [
        { kind: "in-flight", values: in_flight, quantity: "packets in flight" },
        { kind: "utilisation", values: utilisation, quantity: "link utilisation" },
    ];
    return lines
        .filter((line) => line.values.length > 0)
        .map((line) => timeChart({ ...line, window: 1, unit }, theme));
}
