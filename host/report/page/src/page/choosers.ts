// Interlace: what a reader can choose of a sweep's chart
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Choices } from "../charts/choices";
import { xColumns, yColumns } from "../charts/columns";
import { seriesOf } from "../charts/series";
import { scales } from "../charts/sweep";
import { SweepPart } from "../document";
import { check, checkbox, controls, select } from "./controls";

const ways = ["itself", "slow-down"];

/** Changes `choices` in their place and says so. Scales that nobody chose go by what is drawn. */
export function choosers(part: SweepPart, choices: Choices, changed: () => void): HTMLElement {
    const logX = checkbox("log x", false, (log) => choose(() => (choices.logX = log)));
    const logY = checkbox("log y", false, (log) => choose(() => (choices.logY = log)));
    const showScales = () => {
        const { x, y } = scales(part, choices, seriesOf(part, choices));
        check(logX, x.log);
        check(logY, y.log);
    };
    const choose = (change: () => void) => {
        change();
        showScales();
        changed();
    };
    const otherX = (x: string) => {
        choices.x = x;
        choices.logX = null;
    };
    const otherY = (y: string, slowDown: boolean) => {
        choices.y = y;
        choices.slowDown = slowDown;
        choices.logY = null;
    };
    showScales();
    return controls(
        select("x", xColumns(part), choices.x, (x) => choose(() => otherX(x))),
        select("y", yColumns(part), choices.y, (y) => choose(() => otherY(y, choices.slowDown))),
        select("shown as", ways, ways[Number(choices.slowDown)], (way) => choose(() => otherY(choices.y, way === ways[1]))),
        logX,
        logY,
    );
}
