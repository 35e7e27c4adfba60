// Interlace: what a paper printed beside what was computed
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { PublishedRow, PublishedTable } from "../document";
import { joined, tooltip } from "../text";
import { axis, Chart, frame, logAxis, Room } from "./chart";
import { look, Theme } from "./theme";

type Value = "published" | "computed" | "optimal" | "lower_bound";
const kinds: { key: Value; name: string }[] = [
    { key: "published", name: "published" },
    { key: "computed", name: "computed" },
    { key: "optimal", name: "optimum" },
    { key: "lower_bound", name: "lower bound" },
];
const rowHeight = 19;

/** 2130 of "2,130"; null for what is not a plain number. */
export function plainNumber(text: string): number | null {
    return /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text) ? parseFloat(text.replace(/,/g, "")) : null;
}

function comparable(table: PublishedTable): PublishedRow[] {
    return table.rows.filter((row) => plainNumber(row.published) !== null && plainNumber(row.computed) !== null);
}

export function isDrawn(table: PublishedTable): boolean {
    return comparable(table).length > 0;
}

/** A line for each row of the table, a dot for each of its numbers; null where no row has numbers. */
export function publishedChart(table: PublishedTable, theme: Theme, room: Room): Chart | null {
    const rows = comparable(table);
    if (rows.length === 0) return null;
    const all: number[] = [];
    const present = kinds.filter(({ key }) => rows.some((row) => plainNumber(row[key]) !== null));
    for (const { key } of present)
        for (const row of rows) {
            const value = plainNumber(row[key]);
            if (value !== null) all.push(value);
        }
    const least = Math.min.apply(null, all);
    const far = least > 0 && Math.max.apply(null, all) > 20 * least;
    const labels = rows.map((row) => joined(row.quantity, row.network, row.source && "source " + row.source));
    const yAxis = axis(theme, "", {
        type: "category",
        inverse: true,
        data: labels.map((_, index) => index),
        axisLabel: { color: theme.ink, interval: 0, width: Math.min(230, room.width / 3), overflow: "truncate", formatter: (_: string, index: number) => labels[index] },
        splitLine: { show: true, lineStyle: { color: theme.faint } },
        axisTick: { show: false },
    });
    const xAxis = far ? logAxis(theme, "value", all) : axis(theme, "value", { scale: false });
    const names = present.map(({ name }) => name);
    const { option, height } = frame(theme, room, names, xAxis, yAxis, rows.length * rowHeight + 90, 14);
    const series = present.map(({ key, name }, index) => ({
        ...look(theme, index),
        type: "scatter",
        name,
        // What was published is a ring around what was computed, where they agree.
        symbol: ["emptyCircle", "circle", "triangle", "rect"][index],
        itemStyle: { color: look(theme, index).color, opacity: 1 },
        symbolSize: [13, 7, 8, [2, 13]][index],
        data: rows.map((row, at) => [plainNumber(row[key]), at]),
        tooltip: {
            formatter: (at: { dataIndex: number }) => {
                const row = rows[at.dataIndex];
                return tooltip(labels[at.dataIndex], ...present.filter((kind) => row[kind.key] !== "").map((kind) => kind.name + " " + row[kind.key]), row.verdict);
            },
        },
    }));
    return { kind: table.name, label: "published and computed values of " + table.title, height, option: { ...option, series } };
}
