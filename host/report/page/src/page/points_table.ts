// Interlace: every point of a sweep in a table, whose columns a reader chooses
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { chiefColumns, depthOr, isNumeric, labelOf, measured, names, withUnit } from "../charts/columns";
import { Cell, SweepPart } from "../document";
import { shown, slug } from "../text";
import { button, checkbox, controls, textBox } from "./controls";
import { csv, save } from "./download";
import { clear, element } from "./element";
import { Settings } from "./settings";
import { table } from "./table";

/** Whether each word of the filter is in a cell of the row, as readers see it, whatever its case. */
function holds(filter: string, row: Cell[]): boolean {
    const cells = row.map((cell) => shown(cell).toLowerCase());
    return filter.toLowerCase().split(/\s+/).every((word) => cells.some((cell) => cell.indexOf(word) >= 0));
}

export function pointsTable(part: SweepPart, settings: Settings): HTMLElement {
    const chief = chiefColumns(part);
    const hidden = settings.get("hidden", "").split(",");
    const added = settings.get("added", "").split(",");
    const visible = names(part).filter((column) => (chief.indexOf(column) >= 0 ? hidden.indexOf(column) < 0 : added.indexOf(column) >= 0));
    const room = element("div");
    let filter = settings.get("rows", "");
    const sorting = { get: () => settings.get("sort", ""), set: (sorted: string) => settings.set("sort", sorted, "") };
    const points = () => {
        const columns = names(part).filter((column) => visible.indexOf(column) >= 0);
        const indices = columns.map((column) => names(part).indexOf(column));
        const heads = columns.map((column) => (isNumeric(part, column) ? withUnit(part, column) : labelOf(part, column)));
        const all = part.rows.map((row) => indices.map((index) => depthOr(part.columns[index].name, row[index])));
        if (part.failed.length > 0) {
            heads.push("error");
            all.forEach((row) => row.push(null));
            for (const { row, error } of part.failed) all[row][indices.length] = error;
        }
        return { columns, heads, rows: all.filter((row) => holds(filter, row)) };
    };
    const draw = () => {
        const { columns, heads, rows } = points();
        clear(room);
        const count = (rows.length < part.rows.length ? rows.length + " of " : "") + part.rows.length;
        const words = filter.trim() === "" ? "" : " with " + filter.trim();
        const failures = part.failed.length > 0 ? ", " + part.failed.length + " failed" : "";
        const pending = part.pending ? ", " + part.pending + " to come" : "";
        room.appendChild(table("Points: " + count + words + failures + pending, heads, rows, sorting, columns));
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
    const rowsWith = textBox("rows with", filter, (text) => {
        filter = text;
        settings.set("rows", text, "");
        draw();
    });
    const saved = button("CSV", () => {
        const { columns, heads, rows } = points();
        save(slug(part.name) + ".csv", csv(columns.concat(heads.slice(columns.length)), rows));
    });
    saved.title = "Save these points, under the names of the columns";
    return element("div", {}, chooser, controls(rowsWith, saved), room);
}
