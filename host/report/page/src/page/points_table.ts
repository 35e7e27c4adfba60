// Interlace: every point of a sweep in a table, whose columns a reader chooses
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { chiefColumns, depthOr, isNumeric, labelOf, measured, names, withUnit } from "../charts/columns";
import { SweepPart } from "../document";
import { checkbox } from "./controls";
import { clear, element } from "./element";
import { Settings } from "./settings";
import { table } from "./table";

export function pointsTable(part: SweepPart, settings: Settings): HTMLElement {
    const chief = chiefColumns(part);
    const hidden = settings.get("hidden", "").split(",");
    const added = settings.get("added", "").split(",");
    const visible = names(part).filter((column) => (chief.indexOf(column) >= 0 ? hidden.indexOf(column) < 0 : added.indexOf(column) >= 0));
    const room = element("div");
    const sorting = { get: () => settings.get("sort", ""), set: (sorted: string) => settings.set("sort", sorted, "") };
    const draw = () => {
        const columns = names(part).filter((column) => visible.indexOf(column) >= 0);
        const indices = columns.map((column) => names(part).indexOf(column));
        const heads = columns.map((column) => (isNumeric(part, column) ? withUnit(part, column) : labelOf(part, column)));
        const rows = part.rows.map((row) => indices.map((index) => depthOr(part.columns[index].name, row[index])));
        if (part.failed.length > 0) {
            heads.push("error");
            rows.forEach((row) => row.push(null));
            for (const { row, error } of part.failed) rows[row][indices.length] = error;
        }
        clear(room);
        const failures = part.failed.length > 0 ? ", " + part.failed.length + " failed" : "";
        const pending = part.pending ? ", " + part.pending + " to come" : "";
        room.appendChild(table("Points: " + part.rows.length + failures + pending, heads, rows, sorting, columns));
    };
    draw();
    const change = (column: string, show: boolean) => {
        if (show) visible.push(column);
        else visible.splice(visible.indexOf(column), 1);
        settings.set("hidden", chief.filter((one) => visible.indexOf(one) < 0).join(","), "");
        settings.set("added", visible.filter((one) => chief.indexOf(one) < 0).join(","), "");
        draw();
    };
    const boxes = measured(part).map((column) => checkbox(labelOf(part, column), visible.indexOf(column) >= 0, (checked) => change(column, checked)));
    const chooser = element("details", {}, element("summary", {}, "Columns of the table"), element("div", { class: "columns" }, ...boxes));
    return element("div", {}, chooser, room);
}
