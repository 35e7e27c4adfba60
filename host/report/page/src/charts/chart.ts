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
const legendLine = 14;
const letter = 7; // pixels, of most letters at most
const axisWidth = 80; // of the vertical one with its numbers, and of what is free on the right
const narrow = 480; // a telephone
const mostLegendRows = 14;
const plotHeight = 360;
const top = 34;
const slowDownSpan = 4;

/** Zooms by dragging a rectangle (toolbox), or by the wheel with Shift: the wheel alone scrolls the page. */
function zoom(axes: object) {
    return { type: "inside", filterMode: "none", zoomOnMouseWheel: "shift", moveOnMouseMove: "shift", ...axes };
}

/** Lines that a name takes in the legend, at most as wide as `width`. */
function linesOf(name: string, width: number): number {
    return Math.max(1, Math.ceil((name.length * letter) / width));
}

/**
 * Two axes, a legend under them with the names one under the other (beside a sign of so many pixels), tooltips, zoom and
 * an image to save.
 */
export function frame(theme: Theme, { width }: Room, names: string[], xAxis: object, yAxis: object, bodyHeight = plotHeight, sign = 34) {
    const left = width > narrow ? 56 : 6;
    const textWidth = width - left - sign - 16;
    const lines = names.reduce((sum, name) => sum + linesOf(name, textWidth), 0);
    const pages = lines > mostLegendRows;
    const legendHeight = names.length > 1 ? (pages ? legendRow : names.length * legendRow + (lines - names.length) * legendLine) + 8 : 0;
    const option: EChartsCoreOption = {
        ...base(theme),
        grid: { left: 6, right: 22, top, bottom: legendHeight + 6, outerBoundsMode: "same", outerBoundsContain: "all" },
        legend: {
            show: names.length > 1,
            data: names,
            type: pages ? "scroll" : "plain",
            orient: pages ? "horizontal" : "vertical",
            left,
            right: pages ? 22 : undefined,
            pageTextStyle: { color: theme.ink },
            pageIconColor: theme.ink,
            pageIconInactiveColor: theme.line,
            bottom: 0,
            itemWidth: sign,
            itemHeight: 10,
            itemGap: legendRow - legendLine,
            textStyle: { color: theme.ink, lineHeight: legendLine, width: pages ? undefined : textWidth, overflow: "break" },
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
    const name = "slow-down (1: infinite queues)";
    return far ? logAxis(theme, name, slowDowns) : axis(theme, name);
}

/** Whether a text beside the point at `share` of the axis (0: left, 1: right) has more room to its left. */
export function isFarRight(share: number, text: string, { width }: Room): boolean {
    return share * (width - axisWidth) + text.length * letter > width - axisWidth;
}

/**
 * A ring around a point, named beside it, `lines` higher or, without, only where there is room; of its series' name, so that the legend hides both.
 */
export function ring(theme: Theme, series: string, color: string, at: (number | string | null)[], label: string, farRight: boolean, text: () => string, lines?: number) {
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
            offset: [farRight ? 8 : -6, -2 - (lines || 0) * legendLine],
            formatter: label,
            color: theme.ink,
            textBorderColor: theme.background,
            textBorderWidth: 3,
            fontWeight: "bold",
        },
        labelLayout: lines === undefined ? { hideOverlap: true } : undefined,
        data: [at],
        tooltip: { formatter: text },
    };
}

/** A logarithmic axis whose ticks are powers of two where the values are, or are near to each other. */
export function logAxis(theme: Theme, name: string, values: number[]) {
    const span = Math.max.apply(null, values) / Math.min.apply(null, values);
    const powers = values.filter((value) => (Math.log(value) / Math.LN2) % 1 === 0).length;
    const base = span < 20 || (span < 200 && 2 * powers >= values.length) ? 2 : 10;
    return axis(theme, name, { type: "log", logBase: base, axisLabel: { color: theme.muted, hideOverlap: true, formatter: power } });
}

/** Of halves of halves nobody reads more than three digits. */
function power(value: number): string {
    return value < 1 ? String(parseFloat(value.toPrecision(3))) : String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}
