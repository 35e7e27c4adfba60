// Interlace: the section of one run
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { perStepCharts } from "../charts/default_charts";
import { drawingChart, isDrawn } from "../charts/drawing";
import { linksChart, linksOverTimeChart, meanOfPorts, portChoices } from "../charts/links";
import { Links, RunPart } from "../document";
import { ChartView } from "./chart_view";
import { controls, select } from "./controls";
import { element } from "./element";
import { queuesSection } from "./queues_section";
import { Settings } from "./settings";
import { facts, table } from "./table";
import { wavefrontSection } from "./wavefront_section";

export function runSection(part: RunPart, id: string, settings: Settings): HTMLElement[] {
    const shownParts: HTMLElement[] = [facts("Result", part.facts)];
    for (const one of part.tables) shownParts.push(table(one.caption, one.columns, one.rows));
    if (part.wavefront) shownParts.push(...wavefrontSection(part.wavefront, id, settings));
    if (part.links) shownParts.push(...linksSection(part.links, id, settings));
    if (part.queues) shownParts.push(...queuesSection([{ name: part.name, queues: part.queues }], id, settings));
    const count = part.per_step === null ? 0 : [part.per_step.in_flight, part.per_step.utilisation].filter((values) => values.length > 0).length;
    if (count > 0) shownParts.push(element("h3", {}, "Step by step"));
    for (let index = 0; index < count; ++index) shownParts.push(new ChartView(id + "-per-step-" + index, (theme, room) => perStepCharts(part, theme, room)[index]).figure);
    return shownParts;
}

function linksSection(links: Links, id: string, settings: Settings): HTMLElement[] {
    let port = settings.get("port", meanOfPorts, portChoices(links));
    const map = new ChartView(id + "-links", (theme, room) => linksChart(links, port, theme, room));
    const time = new ChartView(id + "-links-over-time", (theme, room) => linksOverTimeChart(links, theme, room));
    const chooser = select("port", portChoices(links), port, (chosen) => {
        port = chosen;
        settings.set("port", port, meanOfPorts);
        map.update();
    });
    const drawing = isDrawn(links) ? [new ChartView(id + "-drawing", (theme, room) => drawingChart(links, theme, room)).figure] : [];
    return [element("h3", {}, "Link utilisation"), controls(chooser), map.figure, ...drawing, ...(links.over_time.length > 0 ? [time.figure] : [])];
}
