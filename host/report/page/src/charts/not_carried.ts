// Interlace: loads that a network did not carry, in a chart of a sweep
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Series } from "./series";
import { Theme } from "./theme";

const rowHeight = 0.04; // of the chart

/** What the legend says of hollow marks: whether they stand at their values, or on the edge since they have none. */
export function hollowName(series: Series[]): string | null {
    const anyEnd = series.some((one) => one.ends.length > 0);
    if (anyEnd) return "hollow: load not carried, no latency (dashed: where the curve ends)";
    return series.some((one) => one.points.some((point) => !point.carried)) ? "hollow: load not carried" : null;
}

/** Nothing but the sign of hollow marks in the legend. */
export function hollowSign(name: string, theme: Theme) {
    return { type: "scatter", name, symbol: "emptyCircle", symbolSize: 8, itemStyle: { color: theme.muted, borderColor: theme.muted }, data: [] };
}

/** A second y axis, from 0 to 1 whatever the first one shows, for what stands on the chart's edge. */
export function edgeAxis() {
    return { type: "value", min: 0, max: 1, show: false };
}

/**
 * Hollow marks on the upper edge, a row for each series, at each load that was not carried, and a dashed line at the first
 * one: the curve ends before it.
 */
export function endMarks(series: Series, row: number, symbol: string, color: string, tip: (index: number) => string) {
    return {
        type: "scatter",
        name: series.name,
        yAxisIndex: 1,
        symbol: hollow(symbol),
        symbolSize: 8,
        clip: false,
        itemStyle: { color, opacity: 1 },
        data: series.ends.map((end) => [end.x, 1 - row * rowHeight]),
        tooltip: { formatter: (at: { dataIndex: number }) => tip(at.dataIndex) },
        markLine: {
            symbol: "none",
            silent: true,
            label: { show: false },
            lineStyle: { color, type: "dashed", width: 1, opacity: 0.7 },
            data: [{ xAxis: series.ends[0].x }],
        },
    };
}

/** The hollow of a symbol: "emptyRect" of "rect". */
export function hollow(symbol: string): string {
    return "empty" + symbol.charAt(0).toUpperCase() + symbol.slice(1);
}
