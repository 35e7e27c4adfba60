// Interlace: a measurement of a sweep against what was swept
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { SweepPart } from "../document";
import { shown, tooltip } from "../text";
import { axis, Chart, frame, logAxis, ring, Room } from "./chart";
import { Choices, positive, spansDecades } from "./choices";
import { isDepth, isNumeric, labelOf, labelValueUnit, saturated, withUnit } from "./columns";
import { errorBars } from "./error_bars";
import { edgeAxis, endMarks, hollow, hollowName, hollowSign, stripFrame, stripHeight } from "./saturated";
import { Point, Series, seriesOf } from "./series";
import { look, Theme } from "./theme";

export function sweepChart(part: SweepPart, choices: Choices, theme: Theme, room: Room): Chart {
    const series = seriesOf(part, choices);
    const { x, y } = scales(part, choices, series);
    const numeric = isNumeric(part, choices.x);
    const xName = choices.xLabel || withUnit(part, choices.x);
    const yName = choices.yLabel || (choices.slowDown ? "Slow-down of " + labelOf(part, choices.y) + " (1: the series' best)" : withUnit(part, choices.y));
    const xAxis = x.log ? logAxis(theme, xName, x.values) : axis(theme, xName, numeric ? {} : { type: "category" });
    const yAxis = y.log ? logAxis(theme, yName, y.values) : axis(theme, yName);
    const sign = hollowName(series);
    const names = series.map((one) => one.name).concat(sign === null ? [] : [sign]);
    const { option, height } = frame(theme, room, names, xAxis, [yAxis, edgeAxis()]);
    const drawn: object[] = [];
    const ended = series.filter((one) => one.ends.length > 0);
    series.forEach((one, index) => drawn.push(...marks(one, part, look(theme, index), choices, numeric, theme)));
    series.forEach((one, index) => one.points.some((point) => point.half > 0) && drawn.push(errorBars(one, look(theme, index).color, y.log ? Math.min.apply(null, y.values) : null)));
    if (ended.length > 0) drawn.push(stripFrame(ended.length, theme));
    series.forEach((one, index) => {
        const tip = (at: number) => tooltip(one.name, labelValueUnit(part, choices.x, one.ends[at].x), saturated);
        if (one.ends.length > 0) drawn.push(endMarks(one, ended.indexOf(one), ended.length, look(theme, index), theme, tip));
    });
    if (sign !== null) drawn.push(hollowSign(sign, theme));
    const above = stripHeight(ended.length);
    const grid = option.grid as { top: number };
    return { kind: "sweep", label: yName + " against " + xName, height: height + above, option: { ...option, grid: { ...grid, top: grid.top + above }, series: drawn } };
}

/** The values of both axes, and whether they are logarithmic: as chosen, or as the values ask for. */
export function scales(part: SweepPart, choices: Choices, series: Series[]) {
    const xs: number[] = [];
    const ys: number[] = [];
    for (const one of series) {
        for (const point of [...one.points, ...one.ends]) if (isNumeric(part, choices.x)) xs.push(point.x as number);
        for (const point of one.points) ys.push(point.y);
    }
    const scale = (values: number[], chosen: boolean | null, asked: boolean) => ({ values, log: positive(values) && (chosen === null ? asked : chosen) });
    return { x: scale(xs, choices.logX, isDepth(choices.x) || spansDecades(xs)), y: scale(ys, choices.logY, spansDecades(ys)) };
}

/** A series' line with its points, and its knee. */
function marks(one: Series, part: SweepPart, style: ReturnType<typeof look>, choices: Choices, numeric: boolean, theme: Theme): object[] {
    const interval = ({ half }: Point) => (half > 0 ? " \u00b1 " + shown(half) + " (95%)" : "");
    const text = (point: Point, lines: string[]) =>
        tooltip(one.name, labelValueUnit(part, choices.x, point.x),
            (choices.slowDown ? "Slow-down " + shown(point.y) : labelValueUnit(part, choices.y, point.y)) + interval(point),
            ...(point.carried ? [] : [saturated]), ...lines);
    const drawn: object[] = [
        {
            ...style,
            type: "line",
            name: one.name,
            showAllSymbol: true,
            // Texts have no order that a line could follow.
            lineStyle: numeric ? style.lineStyle : { width: 0 },
            data: one.points.map((point) => (point.carried ? [point.x, point.y] : { value: [point.x, point.y], symbol: hollow(style.symbol) })),
            tooltip: { formatter: (at: { dataIndex: number }) => text(one.points[at.dataIndex], []) },
        },
    ];
    if (one.knee === null) return drawn;
    const point = one.points[one.knee];
    const farRight = one.points.length - one.knee <= 2;
    const knee = () => text(point, ["knee: from here on within 2% of the last"]);
    return drawn.concat(ring(theme, one.name, style.color, [point.x, point.y], "knee " + point.x, farRight, knee));
}
