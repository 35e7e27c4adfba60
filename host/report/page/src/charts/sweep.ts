// Interlace: a measurement of a sweep against what was swept
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { SweepPart } from "../document";
import { joined, shown, tooltip, unitOf, withUnit } from "../text";
import { axis, Chart, frame, logAxis, ring } from "./chart";
import { Choices, isNumeric, seriesOf } from "./series";
import { look, Theme } from "./theme";

export function sweepChart(part: SweepPart, choices: Choices, theme: Theme): Chart {
    const series = seriesOf(part, choices);
    const numeric = isNumeric(part, choices.x);
    const xName = withUnit(choices.x);
    const yName = choices.slowDown ? "slow-down of " + choices.y + " (1: the series' best)" : withUnit(choices.y);
    const xs: number[] = [];
    const ys: number[] = [];
    for (const one of series)
        for (const point of one.points) {
            if (numeric) xs.push(point.x as number);
            ys.push(point.y);
        }
    const logX = numeric && choices.logX && positive(xs);
    const xAxis = logX ? logAxis(theme, xName, xs) : axis(theme, xName, numeric ? {} : { type: "category" });
    const yAxis = choices.logY && positive(ys) ? logAxis(theme, yName, ys) : axis(theme, yName);
    const { option, height } = frame(theme, series.map((one) => one.name), xAxis, yAxis);
    const drawn: object[] = [];
    series.forEach((one, index) => {
        const style = look(theme, index);
        const text = (point: { x: number | string; y: number }, lines: string[]) =>
            tooltip(joined(one.name === choices.y ? "" : one.name) || choices.y, choices.x + " " + withUnitOf(choices.x, point.x),
                choices.slowDown ? "slow-down " + shown(point.y) : choices.y + " " + withUnitOf(choices.y, point.y), ...lines);
        drawn.push({
            ...style,
            type: "line",
            name: one.name,
            showAllSymbol: true,
            // Texts have no order that a line could follow.
            lineStyle: numeric ? style.lineStyle : { width: 0 },
            data: one.points.map((point) => [point.x, point.y]),
            tooltip: { formatter: (at: { dataIndex: number }) => text(one.points[at.dataIndex], []) },
        });
        if (one.knee === null) return;
        const point = one.points[one.knee];
        const farRight = one.points.length - one.knee <= 2;
        drawn.push(ring(theme, one.name, style.color, [point.x, point.y], "knee " + point.x, farRight, () => text(point, ["knee: from here on within 2% of the last"])));
    });
    return { kind: "sweep", label: yName + " against " + xName, height, option: { ...option, series: drawn } };
}

function positive(values: number[]): boolean {
    return values.length > 0 && values.every((value) => value > 0);
}

function withUnitOf(column: string, value: number | string): string {
    const unit = unitOf(column);
    return shown(value) + (unit ? " " + unit : "");
}
