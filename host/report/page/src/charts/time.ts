// Interlace: a value over a run's time
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { shown, tooltip } from "../text";
import { axis, Chart, frame, Room } from "./chart";
import { look, Theme } from "./theme";

export interface OverTime {
    kind: string;
    values: number[]; // of each window, one after the other from time 0
    window: number;
    unit: string;
    quantity: string;
}

export function timeChart(line: OverTime, theme: Theme, room: Room): Chart {
    const { values, window, quantity, unit } = line;
    const xAxis = axis(theme, "time (" + unit + ")", { scale: false, max: "dataMax" });
    const { option, height } = frame(theme, room, [], xAxis, axis(theme, quantity, { scale: false }), 260);
    // A window's value stands at its end and holds from its beginning.
    const points = values.map((value, index) => [(index + 1) * window, value]);
    const series = {
        ...look(theme, 0),
        type: "line",
        step: "start",
        name: quantity,
        showSymbol: false,
        symbolSize: 6,
        areaStyle: { opacity: 0.12 },
        data: [[0, values[0]]].concat(points),
    };
    const formatter = (at: { dataIndex: number }[]) => {
        const index = Math.max(0, at[0].dataIndex - 1);
        const when = window === 1 ? unit + " " + (index + 1) : unit + " " + index * window + " to " + (index + 1) * window;
        return tooltip(quantity + " " + shown(values[index]), when);
    };
    const hover = { ...(option.tooltip as object), trigger: "axis", formatter };
    return { kind: line.kind, label: quantity + " over time", height, option: { ...option, tooltip: hover, series: [series] } };
}
