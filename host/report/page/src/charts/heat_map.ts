// Interlace: a value of every node, as a map of the network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { shown, tooltip } from "../text";
import { axis, base, Chart, Room } from "./chart";
import { coordinates, Layout, layOut } from "./layout";
import { cividis, Theme } from "./theme";

export type Values = (number | null)[];

const margin = { left: 58, right: 116, top: 30, bottom: 46 };
const largestCell = 34;
const largestHeight = 640;
const labelWidth = 30;

export function mapLayout(sizes: number[] | null, nodes: number, { width }: Room): Layout {
    return layOut(sizes, nodes, width - margin.left - margin.right);
}

/** Column, row, value and number of each node that has a value. */
export function heatMapData(layout: Layout, values: Values): number[][] {
    const data: number[][] = [];
    values.forEach((value, node) => {
        if (value !== null) data.push([layout.places[node][0], layout.places[node][1], value, node]);
    });
    return data;
}

function every(count: number, cell: number): number {
    let step = 1;
    while (step * cell < labelWidth && step < count) step *= 2;
    return step;
}

export interface HeatMap {
    kind: string;
    label: string;
    layout: Layout;
    sizes: number[] | null;
    values: Values;
    maximum: number;
    quantity: string; // its first word names the colours
    digits: (value: number) => string;
}

export function heatMapChart(map: HeatMap, theme: Theme, { width, height: asked }: Room): Chart {
    const { layout, sizes } = map;
    const across = (width - margin.left - margin.right) / layout.columns;
    const room = asked ? Math.min(across, (asked - margin.top - margin.bottom) / layout.rows) : Math.min(across, largestHeight / layout.rows, largestCell);
    // Whole pixels are sharp, where there are enough of them.
    const cell = room > 3 ? Math.floor(room) : room;
    const plotWidth = cell * layout.columns;
    const plotHeight = cell * layout.rows;
    const height = asked || Math.max(plotHeight + margin.top + margin.bottom, 175);
    const side = (name: string, count: number, label: (index: number) => string, step: number, gap: number) =>
        axis(theme, name, {
            type: "category",
            data: numbers(count),
            nameGap: gap,
            axisTick: { show: label(0) !== "", interval: (index: number) => index % step === 0, alignWithLabel: true },
            axisLine: { show: false },
            axisLabel: { color: theme.muted, interval: (index: number) => index % step === 0, formatter: (_: string, index: number) => label(index) },
            splitLine: { show: false },
        });
    const where = (node: number) => (sizes === null ? "" : " (" + coordinates(node, sizes).join(", ") + ")");
    const option = {
        ...base(theme),
        grid: { left: margin.left, top: margin.top, width: plotWidth, height: plotHeight, outerBoundsMode: "none" },
        toolbox: {
            left: margin.left + plotWidth - 14,
            top: 0,
            itemSize: 14,
            iconStyle: { borderColor: theme.muted },
            feature: { saveAsImage: { backgroundColor: theme.background, pixelRatio: 3 } },
        },
        xAxis: side(layout.xName, layout.columns, layout.xLabel, every(layout.columns, cell), 28),
        yAxis: side(layout.yName, layout.rows, layout.yLabel, layout.rows === 1 ? 1 : every(layout.rows, cell), 36),
        visualMap: {
            type: "continuous",
            min: 0,
            max: map.maximum > 0 ? map.maximum : 1,
            dimension: 2,
            seriesIndex: 0,
            text: [map.quantity.split(" ")[0], ""],
            textGap: 8,
            calculable: true,
            align: "left",
            left: margin.left + plotWidth + 14,
            top: margin.top,
            itemWidth: 14,
            itemHeight: Math.max(70, Math.min(plotHeight - 30, 180)),
            inRange: { color: cividis },
            textStyle: { color: theme.ink },
            formatter: map.digits,
        },
        series: [
            {
                type: "heatmap",
                id: "nodes",
                data: heatMapData(layout, map.values),
                progressive: 0,
                itemStyle: { borderWidth: cell > 12 ? 0.5 : 0, borderColor: theme.background },
                emphasis: { itemStyle: { borderColor: theme.series[1], borderWidth: 2 } },
                tooltip: {
                    formatter: ({ value }: { value: number[] }) => tooltip("node " + value[3] + where(value[3]), map.quantity + " " + shown(value[2])),
                },
            },
            {
                type: "scatter",
                silent: true,
                symbolSize: 0,
                data: layout.planes.map((plane) => ({
                    value: [plane.column, plane.row],
                    label: { show: true, position: "right", distance: -cell / 2, offset: [0, cell / 2 - 8], formatter: plane.name, color: theme.muted, fontSize: 11 },
                })),
            },
        ],
    };
    return { kind: map.kind, label: map.label, height, option, pixels: true };
}

function numbers(count: number): number[] {
    const all: number[] = [];
    for (let i = 0; i < count; ++i) all.push(i);
    return all;
}
