// Interlace: how full the queues were, of one run or of a chosen point
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { occupancyChart, Queues } from "../charts/occupancy";
import { shown } from "../text";
import { ChartView } from "./chart_view";
import { controls, select } from "./controls";
import { clear, element } from "./element";
import { Settings } from "./settings";
import { table } from "./table";

export function queuesSection(points: { name: string; queues: Queues }[], id: string, settings: Settings): HTMLElement[] {
    const names = points.map(({ name }) => name);
    let chosen = points[names.indexOf(settings.get("point", names[0], names))];
    const view = new ChartView(id + "-occupancy", (theme, room) => occupancyChart(chosen.queues, theme, room));
    const room = element("div", {}, queuesTable(chosen.queues));
    const chooser = select("point", names, chosen.name, (name) => {
        chosen = points[names.indexOf(name)];
        settings.set("point", name, names[0]);
        view.update();
        clear(room);
        room.appendChild(queuesTable(chosen.queues));
    });
    return [element("h3", {}, "Queue occupancy"), ...(points.length > 1 ? [controls(chooser)] : []), view.figure, room];
}

function queuesTable(queues: Queues): HTMLElement {
    const rows = Object.keys(queues).map((name) => {
        const { depth, mean, high_water, stall_cycles } = queues[name];
        return [name, depth === 0 ? "infinite" : depth, parseFloat(shown(mean)), high_water, stall_cycles];
    });
    return table("Queues", ["queue", "depth (flits)", "mean (flits)", "maximum (flits)", "stalls (cycles)"], rows);
}
