// Interlace: what a reader can choose of a sweep's chart
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Choices } from "../charts/choices";
import { cells, depthOr, different, labelOf, xColumns, yColumns } from "../charts/columns";
import { seriesOf } from "../charts/series";
import { scales } from "../charts/sweep";
import { SweepPart } from "../document";
import { check, checkbox, controls, select } from "./controls";
import { clear, element } from "./element";
import { Settings } from "./settings";

const ways = ["itself", "slow-down"];
const all = "all";

function valuesOf(part: SweepPart, column: string): string[] {
    return different(cells(part, column)).map((cell) => String(depthOr(column, cell)));
}

/** The one value of the column that is shown, or all. */
function only({ filter }: Choices, column: string): string {
    const one = filter.filter((each) => each.column === column)[0];
    return one ? one.value : all;
}

/** `first`, but for what the reader had chosen. */
export function chosenBefore(part: SweepPart, first: Choices, settings: Settings): Choices {
    const flag = (name: string) => {
        const value = settings.get(name, "", ["0", "1"]);
        return value === "" ? null : value === "1";
    };
    const x = settings.get("x", first.x, xColumns(part));
    const filter = xColumns(part)
        .filter((column) => column !== x)
        .map((column) => ({ column, value: settings.get("only." + column, only(first, column), [all].concat(valuesOf(part, column))) }))
        .filter(({ value }) => value !== all);
    return {
        x,
        y: settings.get("y", first.y, yColumns(part)),
        slowDown: settings.get("as", ways[0], ways) === ways[1],
        logX: flag("log-x"),
        logY: flag("log-y"),
        filter,
    };
}

function remember(part: SweepPart, choices: Choices, first: Choices, settings: Settings) {
    const flag = (name: string, value: boolean | null) => settings.set(name, value === null ? "" : value ? "1" : "0", "");
    settings.set("x", choices.x, first.x);
    settings.set("y", choices.y, first.y);
    settings.set("as", ways[Number(choices.slowDown)], ways[0]);
    flag("log-x", choices.logX);
    flag("log-y", choices.logY);
    for (const column of xColumns(part)) {
        settings.set("only." + column, only(choices, column), only(first, column));
    }
}

/** Changes `choices` in their place and says so. Scales that nobody chose go by what is drawn. */
export function choosers(part: SweepPart, choices: Choices, first: Choices, settings: Settings, changed: () => void): HTMLElement {
    const logX = checkbox("log x", false, (log) => choose(() => (choices.logX = log)));
    const logY = checkbox("log y", false, (log) => choose(() => (choices.logY = log)));
    const filters = element("span", { class: "controls" });
    const printed = element("span", { class: "printed" });
    const without = (column: string) => choices.filter.filter((one) => one.column !== column);
    const showFilters = () => {
        clear(filters);
        for (const column of xColumns(part).filter((one) => one !== choices.x)) {
            const keep = (value: string) => (choices.filter = without(column).concat(value === all ? [] : [{ column, value }]));
            filters.appendChild(select("only " + labelOf(part, column), [all].concat(valuesOf(part, column)), only(choices, column), (value) => choose(() => keep(value))));
        }
    };
    const showScales = () => {
        const { x, y } = scales(part, choices, seriesOf(part, choices));
        check(logX, x.log);
        check(logY, y.log);
    };
    const choose = (change: () => void) => {
        change();
        show();
        remember(part, choices, first, settings);
        changed();
    };
    const otherX = (x: string) => {
        choices.x = x;
        choices.logX = null;
        choices.filter = without(x);
        showFilters();
    };
    const otherY = (y: string, slowDown: boolean) => {
        choices.y = y;
        choices.slowDown = slowDown;
        choices.logY = null;
    };
    const show = () => {
        showScales();
        printed.textContent = choices.filter.map(({ column, value }) => "only " + labelOf(part, column) + " " + value).join(", ");
    };
    const label = (column: string) => labelOf(part, column);
    showFilters();
    show();
    return controls(
        select("x", xColumns(part), choices.x, (x) => choose(() => otherX(x)), label),
        select("y", yColumns(part), choices.y, (y) => choose(() => otherY(y, choices.slowDown)), label),
        select("shown as", ways, ways[Number(choices.slowDown)], (way) => choose(() => otherY(choices.y, way === ways[1]))),
        logX,
        logY,
        filters,
        printed,
    );
}
