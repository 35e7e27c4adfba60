// Interlace: how full the queues of a run were
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Queue } from "../document";
import { percent, shown, tooltip } from "../text";
import { axis, Chart, frame, Room } from "./chart";
import { look, Theme } from "./theme";

export interface Queues {
    [queue: string]: Queue;
}

export function occupancyChart(queues: Queues, theme: Theme, room: Room): Chart {
    const names = Object.keys(queues);
    const highest = Math.max.apply(null, names.map((name) => queues[name].high_water));
    // A depth far beyond what was used would leave nothing to see; the table has it.
    const fits = (depth: number) => depth > 0 && depth <= Math.max(4 * highest, 16);
    let most = highest;
    for (const name of names) if (fits(queues[name].depth)) most = Math.max(most, queues[name].depth);
    let least = 1;
    const shares = names.map((name) => {
        const counts = queues[name].histogram;
        const all = counts.reduce((sum, count) => sum + count, 0);
        return counts.map((count) => {
            if (count === 0) return null;
            least = Math.min(least, count / all);
            return count / all;
        });
    });
    // Bars on a logarithmic axis need a foot, a power of ten under the least share. The decade above 100% has the marks.
    const foot = Math.pow(10, Math.floor(Math.log(least) / Math.LN10 - 0.01));
    const markHeight = (index: number) => Math.pow(10, (names.length - index) / (names.length + 0.5));
    const bins: string[] = [];
    for (let flits = 0; flits <= most; ++flits) bins.push(String(flits));
    const yAxis = axis(theme, "share of queue-cycles", { type: "log", min: foot, max: 10, startValue: foot, axisLabel: { color: theme.muted, formatter: (share: number) => (share > 1 ? "" : percent(share)) } });
    const xAxis = axis(theme, "flits in the queue", { type: "category", data: bins, axisLabel: { color: theme.muted }, splitLine: { show: false }, axisTick: { alignWithLabel: true } });
    const { option, height } = frame(theme, room, names, xAxis, yAxis);
    const thin = most > 64; // bars with no room for edges and hatching
    const series: object[] = [];
    names.forEach((name, index) => {
        const { color } = look(theme, index);
        const queue = queues[name];
        series.push({
            type: "bar",
            name,
            barCategoryGap: "25%",
            barGap: "0%",
            itemStyle: { color, borderColor: theme.background, borderWidth: thin ? 0 : 0.5, decal: thin ? { symbol: "none" } : hatch(index) },
            data: shares[index],
            tooltip: {
                formatter: (at: { dataIndex: number }) =>
                    tooltip(name, at.dataIndex + " flits in the queue", percent(shares[index][at.dataIndex] || 0) + " of queue-cycles", shown(queue.histogram[at.dataIndex]) + " queue-cycles"),
            },
        });
        const text = name + ": max " + queue.high_water + (queue.depth === 0 ? "" : " of " + queue.depth);
        const mark = (flits: number, symbol: string, size: number | number[], label: object) => ({
            type: "scatter",
            name,
            symbol,
            symbolSize: size,
            itemStyle: { color, opacity: 1 },
            label,
            data: [[flits, markHeight(index)]],
            tooltip: { formatter: () => tooltip(name, "maximum " + queue.high_water + " flits", "depth " + (queue.depth || "infinite")) },
        });
        const beside = { show: true, position: queue.high_water > most / 2 ? "left" : "right", color: theme.ink, formatter: text };
        series.push(mark(queue.high_water, "path://M0,0L10,0L5,9Z", 10, beside));
        if (fits(queue.depth)) series.push(mark(queue.depth, "rect", [3, 14], { show: false }));
    });
    return { kind: "occupancy", label: "how often each class of queues held how many flits", height, option: { ...option, series } };
}

/** Hatching tells bars apart in grey: none, to the right, to the left. */
function hatch(index: number) {
    if (index % 3 === 0) return { symbol: "none" };
    return { symbol: "rect", color: "rgba(255,255,255,0.55)", dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: index % 3 === 1 ? Math.PI / 4 : -Math.PI / 4 };
}
