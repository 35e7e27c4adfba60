// Interlace: every chart as SVG, drawn without a browser
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Choices } from "./charts/choices";
import { defaultCharts } from "./charts/default_charts";
import { echarts } from "./charts/echarts";
import { light } from "./charts/theme";
import { ReportDocument } from "./document";
import { slug } from "./text";

// Without a browser nobody knows how wide a text is: as wide as in the widest of usual fonts, others than Latin letters square.
function measureText(text: string, font = "12px") {
    const pixels = parseFloat(/[\d.]+(?=px)/.exec(font)![0]);
    const square = text.replace(/[\x00-\xff]/g, "").length;
    return { width: pixels * (0.61 * (text.length - square) + square) };
}
echarts.setPlatformAPI({ measureText });

/** Many programs that read SVG know no dominant-baseline: they are told how far down a centred text stands. */
function portable(svg: string): string {
    return svg.replace(/dominant-baseline="central"/g, 'dy="0.36em"');
}

/** What host/report/figures.h has as FigureOptions. */
interface Options {
    width: number;
    height?: number; // of every figure
    chosen: Partial<Choices>;
}

/** A document and options as JSON in, [{name, svg}] as JSON out; no two names are the same. */
export function figures(json: string, optionsJson: string): string {
    const { chosen, ...room } = JSON.parse(optionsJson) as Options;
    const drawn: { name: string; svg: string }[] = [];
    for (const part of (JSON.parse(json) as ReportDocument).parts)
        for (const { kind, height, option } of defaultCharts(part, light, room, chosen)) {
            const chart = echarts.init(null, null, { renderer: "svg", ssr: true, height, ...room });
            // What answers to a mouse has no place on paper.
            chart.setOption({ ...option, toolbox: undefined, tooltip: undefined, dataZoom: undefined });
            drawn.push({ name: unused(slug(part.name + "-" + kind), drawn), svg: portable(chart.renderToSVGString()) });
            chart.dispose();
        }
    return JSON.stringify(drawn);
}

function unused(name: string, drawn: { name: string }[]): string {
    const taken = (wanted: string) => drawn.some((figure) => figure.name.toLowerCase() === wanted.toLowerCase());
    let number = 1;
    while (taken(number === 1 ? name : name + "-" + number)) ++number;
    return number === 1 ? name : name + "-" + number;
}
