// Interlace: what each class of queues costs, and what is gained by paying more
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Sized, SizePart } from "../document";
import { percent, shown, tooltip } from "../text";
import { axis, Chart, frame, isFarRight, logAxis, ring, Room, slowDownAxis } from "./chart";
import { look, Theme } from "./theme";

function configuration(part: SizePart, point: Sized): string[] {
    const depths = part.queues.map((queue, index) => queue + " " + point.depths[index] + " " + part.unit);
    const slowDown = "slow-down " + shown(point.slow_down) + (point.half_interval ? " \u00b1 " + shown(point.half_interval) : "");
    return depths.concat(slowDown, part.measure + " " + shown(point.measure), point.bytes + " bytes per node");
}

/** Slow-down against the depth of one class, the others infinite. */
export function aloneChart(part: SizePart, theme: Theme, room: Room): Chart {
    const depths: number[] = [];
    const slowDowns = [1, 1 + part.tolerance];
    for (const { tried } of part.alone)
        for (const [depth, , slowDown] of tried) {
            depths.push(depth);
            if (slowDown !== null) slowDowns.push(slowDown);
        }
    const xName = "depth of the queue (" + part.unit + "), the other classes infinite";
    const worst = Math.max.apply(null, slowDowns);
    const least = Math.min.apply(null, depths);
    const place = (depth: number) => Math.log(depth / least) / Math.log(Math.max.apply(null, depths) / least || 2);
    const names = part.alone.map((one) => one.queue);
    const { option, height } = frame(theme, room, names, logAxis(theme, xName, depths), slowDownAxis(theme, slowDowns));
    const drawn: object[] = [];
    part.alone.forEach((one, index) => {
        const style = look(theme, index);
        const text = (point: (typeof one.tried)[0], more: string[]) =>
            tooltip(one.queue, "depth " + point[0] + " " + part.unit, point[2] === null ? "failed" : "slow-down " + shown(point[2]) + (point[3] ? " \u00b1 " + shown(point[3]) : ""),
                ...(point[1] === null ? [] : [part.measure + " " + shown(point[1])]), ...more);
        const ran = one.tried.filter((point) => point[2] !== null);
        const failed = one.tried.filter((point) => point[2] === null);
        const knee = ran.filter((point) => point[0] === one.within);
        const limit = {
            symbol: "none",
            silent: true,
            lineStyle: { color: theme.muted, type: "dashed", width: 1 },
            label: { position: "end", distance: 3, color: theme.muted, formatter: "+" + percent(part.tolerance) },
            data: [{ yAxis: 1 + part.tolerance }],
        };
        drawn.push({
            ...style,
            type: "line",
            name: one.queue,
            data: ran.map((point) => [point[0], point[2]]),
            markLine: index === 0 ? limit : undefined,
            tooltip: { formatter: (at: { dataIndex: number }) => text(ran[at.dataIndex], []) },
        });
        for (const point of knee)
            drawn.push(ring(theme, one.queue, style.color, [point[0], point[2]], one.queue + " " + one.within, isFarRight(place(point[0]), one.queue + " " + one.within, room), () => text(point, ["the least within " + percent(part.tolerance)]), index));
        // Infinitely slow: crosses on the upper edge.
        drawn.push({
            type: "scatter",
            name: one.queue,
            symbol: "path://M0,0L10,10M10,0L0,10",
            symbolSize: 9,
            itemStyle: { color: "none", borderColor: style.color, borderWidth: 2, opacity: 1 },
            data: failed.map((point) => [point[0], worst]),
            tooltip: { formatter: (at: { dataIndex: number }) => text(failed[at.dataIndex], []) },
        });
    });
    const grid = { ...(option.grid as object), right: 40 };
    return { kind: "slow-down", label: "slow-down against the depth of each class of queues alone", height, option: { ...option, grid, series: drawn } };
}

/** Slow-down against bytes: every configuration, the front, and the one that is recommended. */
export function paretoChart(part: SizePart, theme: Theme, room: Room): Chart {
    const ran = part.tried.filter((point) => point.slow_down !== null && point.bytes !== null);
    const names = ["tried", "Pareto front", "within " + percent(part.tolerance)];
    const bytes = ran.map((point) => point.bytes as number);
    const least = Math.min.apply(null, bytes);
    const place = ((part.joint.bytes as number) - least) / (Math.max.apply(null, bytes) - least || 1);
    const answer = part.queues.map((queue, i) => queue + " " + part.joint.depths[i]);
    const longest = answer.reduce((a, b) => (a.length > b.length ? a : b));
    const slowDowns = ran.map((point) => point.slow_down as number);
    const xAxis = axis(theme, "bytes of all queues of a node");
    const { option, height } = frame(theme, room, names, xAxis, slowDownAxis(theme, slowDowns), undefined, 14);
    const points = (name: string, from: Sized[], more: object) => ({
        type: "scatter",
        name,
        data: from.map((point) => [point.bytes, point.slow_down]),
        tooltip: { formatter: (at: { dataIndex: number }) => tooltip(name, ...configuration(part, from[at.dataIndex])) },
        ...more,
    });
    const series = [
        points(names[0], ran, { symbolSize: 6, itemStyle: { color: theme.muted, opacity: 0.55 } }),
        points(names[1], part.front, { ...look(theme, 0), type: "line", step: "end", symbolSize: 7, z: 3 }),
        points(names[2], [part.joint], {
            symbol: "diamond",
            symbolSize: 18,
            z: 4,
            itemStyle: { color: theme.series[1], opacity: 1 },
            label: { show: true, position: "top", distance: 8, align: isFarRight(place, longest, room) ? "right" : "left", textBorderColor: theme.background, textBorderWidth: 3, lineHeight: 15, color: theme.ink, fontWeight: "bold", formatter: answer.join("\n") },
        }),
    ];
    return { kind: "pareto", label: "slow-down against bytes per node", height, option: { ...option, series } };
}
