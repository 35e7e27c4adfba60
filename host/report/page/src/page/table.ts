// Interlace: tables that a click sorts
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { plainNumber } from "../charts/published";
import { Cell } from "../document";
import { shown } from "../text";
import { clear, element } from "./element";
import { keepFitting } from "./fit";

const order = { none: 0, ascending: 1, descending: -1 };
type Sorted = keyof typeof order;

/** Numbers by value, numbers in texts ("2,130") too; then texts; what is missing comes last either way. */
function compare(a: Cell, b: Cell): number {
    const x = numberIn(a);
    const y = numberIn(b);
    if (x !== null && y !== null) return x - y;
    if (x !== null || y !== null) return x !== null ? -1 : 1;
    return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

function numberIn(cell: Cell): number | null {
    return typeof cell === "number" ? cell : typeof cell === "string" ? plainNumber(cell) : null;
}

function isMissing(cell: Cell): boolean {
    return cell === null || cell === "";
}

/** How a table is sorted, kept elsewhere: "ascending cycles". */
export interface Sorting {
    get(): string;
    set(sorted: string): void;
}

/** `titles`: names of the columns, which a pointer on a head shows. */
export function table(caption: string, columns: string[], rows: Cell[][], sorting?: Sorting, titles: string[] = []): HTMLElement {
    const body = element("tbody");
    // A column of numbers stays one where a few are texts ("infinite", "84 ms").
    const numeric = columns.map((_, column) => {
        const known = rows.map((row) => row[column]).filter((cell) => !isMissing(cell));
        return 2 * known.filter((cell) => numberIn(cell) !== null).length > known.length;
    });
    const fill = (sorted: Cell[][]) => {
        clear(body);
        for (const row of sorted) body.appendChild(element("tr", {}, ...row.map((cell, column) => tableCell(cell, numeric[column], columns[column]))));
    };
    const names = columns.map((column, index) => titles[index] || column); // a label may change, a link may not
    const sorts: { column: string; sort: (next: Sorted) => void }[] = [];
    const heads = columns.map((column, index) => {
        const head = element("th", { scope: "col", "aria-sort": "none" }, element("button", { type: "button" }, ...breakable(column)));
        if (numeric[index]) head.className = "number";
        if (titles[index]) head.title = titles[index];
        const sort = (next: Sorted) => {
            for (const other of heads) other.setAttribute("aria-sort", "none");
            head.setAttribute("aria-sort", next);
            const places = rows.map((_, place) => place);
            places.sort((a, b) => {
                const [x, y] = [rows[a][index], rows[b][index]];
                if (isMissing(x) || isMissing(y)) return Number(isMissing(x)) - Number(isMissing(y)) || a - b;
                return order[next] * compare(x, y) || a - b;
            });
            fill(places.map((place) => rows[place]));
        };
        head.onclick = () => {
            const next = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
            sort(next);
            if (sorting) sorting.set(next + " " + names[index]);
        };
        sorts.push({ column: names[index], sort });
        return head;
    });
    fill(rows);
    for (const { column, sort } of sorts) for (const next of ["ascending", "descending"] as const) if (sorting && sorting.get() === next + " " + column) sort(next);
    const made = element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...heads)), body);
    return fitting(element("div", { class: "table", tabindex: "0", role: "region", "aria-label": caption }, made));
}

function fitting(room: HTMLElement): HTMLElement {
    keepFitting(room);
    return room;
}

/** "latency_mean" may go on in another line behind its underscore, "traffic.load" behind its dot, "flits/node" behind its slash. */
function breakable(name: string): (Node | string)[] {
    const pieces = name.match(/[^._/]*[._/]*/g) as string[];
    return pieces.filter((piece) => piece !== "").reduce((all, piece) => all.concat(piece, element("wbr")), [] as (Node | string)[]);
}

/** Shows six digits; all of them are in data-value. */
function tableCell(cell: Cell, numeric: boolean, head: string): HTMLElement {
    const attributes: { [name: string]: string } = { "data-value": cell === null ? "" : String(cell), "data-head": head };
    if (numeric) attributes["class"] = "number";
    return element("td", attributes, shown(cell));
}

/** Names and values, a row each. */
export function facts(caption: string, rows: [string, Cell][]): HTMLElement {
    const made = element("table", { class: "facts" }, element("caption", {}, caption));
    const body = made.appendChild(element("tbody"));
    for (const [name, value] of rows)
        body.appendChild(element("tr", {}, element("th", { scope: "row" }, ...breakable(name)), tableCell(value, typeof value === "number", name)));
    return element("div", { class: "table" }, made);
}
