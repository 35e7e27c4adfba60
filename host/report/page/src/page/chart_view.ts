// Interlace: charts in the page: as wide as their room, in the colours of the reader's scheme
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import type { EChartsCoreOption } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { Chart, Room } from "../charts/chart";
import { echarts } from "../charts/echarts";
import { dark, light, Theme } from "../charts/theme";
import { element } from "./element";
import { fitToPaper, fitToScreen } from "./fit";

echarts.use([CanvasRenderer]);

const paperWidth = 660;
const scheme = window.matchMedia("(prefers-color-scheme: dark)");
const views: ChartView[] = [];
const left: { [id: string]: EChartsCoreOption } = {}; // by views that are no more
let printing = false;

/** Builds a chart for a theme and a room, from what is chosen at that time. */
type Build = (theme: Theme, room: Room) => Chart;

export class ChartView {
    readonly figure = element("figure");
    private readonly room = element("div", { class: "chart", role: "img" });
    private chart: ReturnType<typeof echarts.init> | null = null;
    private width = 0;
    private renderer: "canvas" | "svg" = "svg";

    constructor(readonly id: string, private readonly build: Build) {
        this.figure.appendChild(this.room);
        this.room.id = id;
        views.push(this);
    }

    /** Draws anew: choices, theme or width have changed. */
    update() {
        this.width = printing ? paperWidth : this.figure.clientWidth;
        if (this.width === 0) return;
        const { height, label, option, pixels } = this.build(theme(), { width: this.width });
        this.room.style.height = height + "px";
        this.room.setAttribute("aria-label", label);
        const size = { width: this.width, height };
        // Printed, a canvas would be coarse, and a large one empty.
        const renderer = pixels && !printing ? "canvas" : "svg";
        if (this.chart !== null && this.renderer !== renderer) {
            this.chart.dispose();
            this.chart = null;
        }
        this.renderer = renderer;
        if (this.chart === null) this.chart = echarts.init(this.room, null, { renderer, locale: "EN", ...size });
        else this.chart.resize(size);
        this.chart.setOption(printing ? { ...option, toolbox: { show: false } } : option, { notMerge: true });
        if (left[this.id]) this.chart.setOption(left[this.id]);
        delete left[this.id];
    }

    /** Replaces the data of one series and leaves the rest alone. */
    replace(series: string, data: (room: Room) => unknown[], label: string) {
        if (this.chart === null) return;
        this.room.setAttribute("aria-label", label);
        this.chart.setOption({ series: [{ id: series, data: data({ width: this.width }) }] });
    }

    /** The library's chart, for who drives the page by a script. */
    get drawn() {
        return this.chart;
    }

    /** The next view of this id goes on with the names that are hidden and the zoom that is set. */
    dispose() {
        if (this.chart === null) return;
        const { legend, dataZoom } = this.chart.getOption() as { legend?: { selected: object }[]; dataZoom?: { start: number; end: number }[] };
        const zooms = (dataZoom || []).map(({ start, end }) => ({ start, end }));
        left[this.id] = { legend: (legend || []).map(({ selected }) => ({ selected })), dataZoom: zooms };
        this.chart.dispose();
        this.chart = null;
    }

    fit() {
        if (!printing && this.figure.clientWidth !== this.width) this.update();
    }
}

function theme(): Theme {
    return scheme.matches && !printing ? dark : light;
}

/** Of all views, once their figures stand in the page. */
export function drawCharts() {
    for (const view of views) view.update();
}

/** Before other figures take their place. */
export function forgetCharts() {
    for (const view of views.splice(0)) view.dispose();
}

/** Draws anew what follows the window, the scheme and the printer. */
export function followReader() {
    window.addEventListener("resize", () => views.forEach((view) => view.fit()));
    scheme.addEventListener("change", drawCharts);
    const print = (now: boolean) => () => {
        printing = now;
        drawCharts();
        if (now) fitToPaper(paperWidth);
        else fitToScreen();
    };
    window.addEventListener("beforeprint", print(true));
    window.addEventListener("afterprint", print(false));
}

export function viewOf(id: string): ChartView | undefined {
    return views.filter((view) => view.id === id)[0];
}
