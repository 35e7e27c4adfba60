// Interlace: the section of a sweep
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { cellOf, labelAndValue } from "../charts/columns";
import { defaultChoices } from "../charts/default_choices";
import { Queues } from "../charts/occupancy";
import { sweepChart } from "../charts/sweep";
import { SweepPart } from "../document";
import { ChartView } from "./chart_view";
import { chosenBefore, choosers } from "./choosers";
import { pointsTable } from "./points_table";
import { progress } from "./progress";
import { queuesSection } from "./queues_section";
import { Settings } from "./settings";

export function sweepSection(part: SweepPart, id: string, settings: Settings): HTMLElement[] {
    return [...progress(part), ...chart(part, id, settings), pointsTable(part, settings), ...occupancy(part, id, settings)];
}

function chart(part: SweepPart, id: string, settings: Settings): HTMLElement[] {
    const first = defaultChoices(part);
    if (first === null) return [];
    const choices = chosenBefore(part, first, settings);
    const view = new ChartView(id + "-sweep", (theme, room) => sweepChart(part, choices, theme, room));
    return [choosers(part, choices, first, settings, () => view.update()), view.figure];
}

/** Of every point that counted it. */
function occupancy(part: SweepPart, id: string, settings: Settings): HTMLElement[] {
    const points: { name: string; queues: Queues }[] = [];
    part.queues.forEach((queues, row) => {
        const values = part.swept.map((path) => labelAndValue(part, path, cellOf(part, part.rows[row], path)));
        if (queues !== null) points.push({ name: row + ": " + values.join(", "), queues });
    });
    return points.length > 0 ? queuesSection(points, id, settings) : [];
}
