// Interlace: what all charts have in common
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import type { EChartsCoreOption } from "echarts/core";
import { Theme } from "./theme";

/** A chart ready to be drawn, in a room of the width it was built for. */
export interface Chart {
    kind: string; // ends a figure's file name
    label: string; // what it shows, for those who cannot see it
    height: number;
    option: EChartsCoreOption;
    pixels?: boolean; // so many shapes that a canvas is better than SVG
}

/** Where a chart is drawn, in pixels; without a height it is as high as it needs. */
export interface Room {
    width: number;
    height?: number;
}

const legendRow = 21;
const mostLegendRows = 14;
const plotHeight = 360;
const top = 34;
const slowDownSpan = 4;

/** Zooms by dragging a rectangle (toolbox), or by the wheel with Shift: the wheel alone scrolls the page. */
function zoom(axes: object) {
    return { type: "inside", filterMode: "none", zoomOnMouseWheel: "shift", moveOnMouseMove: "shift", ...axes };
}

/**
 * Two axes, a legend under them with a line for each name (beside a sign of so many pixels), tooltips, zoom and an image
 * to save.
 */
export function frame(theme: Theme, names: string[], xAxis: object, yAxis: object, bodyHeight = plotHeight, sign = 34) {
    const pages = names.length > mostLegendRows;
    const legendHeight = names.length > 1 ? (pages ? 1 : names.length) * legendRow + 8 : 0;
    const option: EChartsCoreOption = {
        ...base(theme),
        grid: { left: 6, right: 22, top, bottom: legendHeight + 6, outerBoundsMode: "same", outerBoundsContain: "all" },
        legend: {
            show: names.length > 1,
            data: names,
            type: pages ? "scroll" : "plain",
            orient: pages ? "horizontal" : "vertical",
            left: 56,
            right: pages ? 22 : undefined,
            pageTextStyle: { color: theme.ink },
            pageIconColor: theme.ink,
            pageIconInactiveColor: theme.line,
            bottom: 0,
            itemWidth: sign,
            itemHeight: 10,
            itemGap: legendRow - 14,
            textStyle: { color: theme.ink, lineHeight: 14 },
            inactiveColor: theme.line,
        },
        toolbox: {
            right: 14,
            top: 0,
            itemSize: 14,
            iconStyle: { borderColor: theme.muted },
            emphasis: { iconStyle: { borderColor: theme.ink } },
            feature: { dataZoom: { filterMode: "none", xAxisIndex: 0, yAxisIndex: 0 }, restore: {}, saveAsImage: { backgroundColor: theme.background } },
        },
        dataZoom: [zoom({ xAxisIndex: 0 }), zoom({ yAxisIndex: 0 })],
        xAxis,
        yAxis,
    };
    return { option, height: bodyHeight + legendHeight };
}

export function base(theme: Theme): EChartsCoreOption {
    return {
        animation: false,
        backgroundColor: theme.background,
        textStyle: { fontFamily: "sans-serif", color: theme.ink },
        tooltip: {
            trigger: "item",
            confine: true,
            backgroundColor: theme.background,
            borderColor: theme.line,
            textStyle: { color: theme.ink, fontSize: 13 },
        },
    };
}

export function axis(theme: Theme, name: string, more: object = {}) {
    return {
        type: "value",
        name,
        nameLocation: "middle",
        nameTextStyle: { color: theme.ink, fontSize: 13, padding: 4 },
        axisLabel: { color: theme.muted, hideOverlap: true },
        axisLine: { show: true, onZero: false, lineStyle: { color: theme.muted } },
        axisTick: { show: true },
        splitLine: { lineStyle: { color: theme.faint } },
        scale: true,
        ...more,
    };
}

/** Slow-downs that are far apart are factors, others differences. */
export function slowDownAxis(theme: Theme, slowDowns: number[]) {
    const far = Math.max.apply(null, slowDowns) > slowDownSpan * Math.min.apply(null, slowDowns);
    const name = "slow-down (1: endless queues)";
    return far ? logAxis(theme, name, slowDowns) : axis(theme, name);
}

/** A ring around a point, named beside it; of its series' name, so that the legend hides both. */
export function ring(theme: Theme, series: string, color: string, at: (number | string | null)[], label: string, farRight: boolean, text: () => string) {
    return {
        type: "scatter",
        name: series,
        symbol: "circle",
        symbolSize: 15,
        z: 5,
        itemStyle: { color: "transparent", borderColor: color, borderWidth: 2, opacity: 1 },
        // Lines mostly come down to the point from the left.
        label: {
            show: true,
            position: "top",
            align: farRight ? "right" : "left",
            offset: [farRight ? 8 : -6, -2],
            formatter: label,
            color: theme.ink,
            textBorderColor: theme.background,
            textBorderWidth: 3,
            fontWeight: "bold",
        },
        labelLayout: { moveOverlap: "shiftY" },
        data: [at],
        tooltip: { formatter: text },
    };
}

/** A logarithmic axis whose ticks are powers of two where the values are near to each other. */
export function logAxis(theme: Theme, name: string, values: number[]) {
    const high = Math.max.apply(null, values);
    const low = Math.min.apply(null, values);
    return axis(theme, name, { type: "log", logBase: high / low < 200 ? 2 : 10 });
}
