// Interlace: the section of a sweep
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { defaultChoices } from "../charts/choices";
import { chiefColumns, isNumeric, measured } from "../charts/columns";
import { Queues } from "../charts/occupancy";
import { sweepChart } from "../charts/sweep";
import { SweepPart } from "../document";
import { shown, withUnit } from "../text";
import { ChartView } from "./chart_view";
import { choosers } from "./choosers";
import { checkbox } from "./controls";
import { clear, element } from "./element";
import { queuesSection } from "./queues_section";
import { table } from "./table";

export function sweepSection(part: SweepPart, id: string): HTMLElement[] {
    const choices = defaultChoices(part);
    if (choices === null) return [pointsTable(part), ...occupancy(part, id)];
    const view = new ChartView(id + "-sweep", (theme) => sweepChart(part, choices, theme));
    return [choosers(part, choices, () => view.update()), view.figure, pointsTable(part), ...occupancy(part, id)];
}

/** Of every point that counted it. */
function occupancy(part: SweepPart, id: string): HTMLElement[] {
    const points: { name: string; queues: Queues }[] = [];
    part.queues.forEach((queues, row) => {
        const values = part.swept.map((path) => path + " " + shown(part.rows[row][part.columns.indexOf(path)]));
        if (queues !== null) points.push({ name: row + ": " + values.join(", "), queues });
    });
    return points.length > 0 ? queuesSection(points, id) : [];
}

function pointsTable(part: SweepPart): HTMLElement {
    const visible = chiefColumns(part);
    const room = element("div");
    const draw = () => {
        const columns = part.columns.filter((column) => visible.indexOf(column) >= 0);
        const indices = columns.map((column) => part.columns.indexOf(column));
        const heads = columns.map((column) => (isNumeric(part, column) ? withUnit(column) : column));
        const rows = part.rows.map((row) => indices.map((index) => row[index]));
        if (part.failed.length > 0) {
            heads.push("error");
            rows.forEach((row) => row.push(null));
            for (const { row, error } of part.failed) rows[row][indices.length] = error;
        }
        clear(room);
        const failures = part.failed.length > 0 ? ", " + part.failed.length + " failed" : "";
        room.appendChild(table("Points: " + part.rows.length + failures, heads, rows));
    };
    draw();
    const boxes = measured(part).map((column) =>
        checkbox(column, visible.indexOf(column) >= 0, (checked) => {
            if (checked) visible.push(column);
            else visible.splice(visible.indexOf(column), 1);
            draw();
        }),
    );
    const chooser = element("details", {}, element("summary", {}, "Columns of the table"), element("div", { class: "columns" }, ...boxes));
    return element("div", {}, chooser, room);
}
