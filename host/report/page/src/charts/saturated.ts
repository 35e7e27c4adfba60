// Interlace: loads that a network did not carry, in a chart of a sweep
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Api, Drawing } from "./custom";
import { Series } from "./series";
import { Theme } from "./theme";

const rowHeight = 12; // pixels
const mostRows = 12; // as high; more share their height
const gap = 8; // between the strip and the plot
const mark = 4; // half of a mark's size

/** What the legend says of hollow marks: whether they stand at their values, or on the edge since they have none. */
export function hollowName(series: Series[]): string | null {
    const anyEnd = series.some((one) => one.ends.length > 0);
    if (anyEnd) return "hollow: saturated, no latency (dashed: where the curve ends)";
    return series.some((one) => one.points.some((point) => !point.carried)) ? "hollow: saturated" : null;
}

/** Nothing but the sign of hollow marks in the legend. */
export function hollowSign(name: string, theme: Theme) {
    return { type: "scatter", name, symbol: "emptyCircle", symbolSize: 8, itemStyle: { color: theme.muted, borderColor: theme.muted }, data: [] };
}

/** A second y axis, from 0 to 1 whatever the first one shows, for what stands on the chart's edge. */
export function edgeAxis() {
    return { type: "value", min: 0, max: 1, show: false };
}

/** Pixels above the plot for `rows` series that have saturated loads. */
export function stripHeight(rows: number): number {
    return rows === 0 ? 0 : Math.min(rows, mostRows) * rowHeight + gap;
}

/** What surrounds the marks: a frame as wide as the plot, and what it is. */
export function stripFrame(rows: number, theme: Theme) {
    const height = stripHeight(rows) - gap;
    return {
        type: "custom",
        yAxisIndex: 1,
        silent: true,
        clip: false,
        data: [[0, 1]],
        encode: { x: [], y: 1 }, // the x axis goes by the marks
        renderItem: ({ coordSys: { x, y, width } }: Drawing) => ({
            type: "group",
            children: [
                { type: "rect", shape: { x, y: y - gap - height, width, height }, style: { fill: theme.faint } },
                { type: "text", style: { text: "saturated", x, y: y - gap - height - 4, verticalAlign: "bottom", fontSize: 11, fill: theme.muted } },
            ],
        }),
    };
}

/**
 * Hollow marks in a strip above the plot, a row for each of the `rows` series that have some, at each saturated load, and a
 * dashed line at the first one: the curve ends before it. They have no height that an axis could give.
 */
export function endMarks(series: Series, row: number, rows: number, look: { symbol: string; color: string }, theme: Theme, tip: (index: number) => string) {
    const high = (stripHeight(rows) - gap) / rows;
    return {
        type: "custom",
        name: series.name,
        yAxisIndex: 1,
        clip: false,
        data: series.ends.map((end) => [end.x, 1]),
        encode: { x: 0, y: 1 },
        renderItem: ({ coordSys: { x, y, width } }: Drawing, api: Api) => {
            const at = api.coord([api.value(0), 1])[0];
            const inSight = at >= x - 1 && at <= x + width + 1; // whatever the zoom
            return inSight ? hollowMark(look.symbol, at, y - gap - (rows - row - 0.5) * high, look.color, theme) : null;
        },
        tooltip: { formatter: (at: { dataIndex: number }) => tip(at.dataIndex) },
        markLine: {
            symbol: "none",
            silent: true,
            label: { show: false },
            lineStyle: { color: look.color, type: "dashed", width: 1, opacity: 0.7 },
            data: [{ xAxis: series.ends[0].x }],
        },
    };
}

function hollowMark(symbol: string, x: number, y: number, color: string, theme: Theme) {
    const style = { fill: theme.background, stroke: color, lineWidth: 2 };
    if (symbol === "circle") return { type: "circle", shape: { cx: x, cy: y, r: mark }, style };
    if (symbol === "rect") return { type: "rect", shape: { x: x - mark, y: y - mark, width: 2 * mark, height: 2 * mark }, style };
    const below = symbol === "diamond" ? [[x + mark, y], [x, y + mark], [x - mark, y]] : [[x + mark, y + mark], [x - mark, y + mark]];
    return { type: "polygon", shape: { points: [[x, y - mark], ...below] }, style };
}

/** The hollow of a symbol: "emptyRect" of "rect". */
export function hollow(symbol: string): string {
    return "empty" + symbol.charAt(0).toUpperCase() + symbol.slice(1);
}
