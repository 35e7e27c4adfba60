// Interlace: the section of a comparison with published values
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { isDrawn, publishedChart } from "../charts/published";
import { Chart } from "../charts/chart";
import { PublishedPart } from "../document";
import { slug } from "../text";
import { ChartView } from "./chart_view";
import { element } from "./element";
import { table } from "./table";

const columns = ["quantity", "network", "source", "published", "computed", "optimal", "lower_bound", "verdict", "why"] as const;

export function publishedSection(part: PublishedPart, id: string): HTMLElement[] {
    const all: HTMLElement[] = [];
    for (const one of part.tables) {
        const used = columns.filter((column) => one.rows.some((row) => row[column] !== ""));
        const heads = used.map((column) => (column === "optimal" ? "optimum" : column === "lower_bound" ? "lower bound" : column));
        all.push(element("h3", {}, one.title));
        if (isDrawn(one)) all.push(new ChartView(id + "-" + slug(one.name), (theme, room) => publishedChart(one, theme, room) as Chart).figure);
        all.push(table(one.name, heads, one.rows.map((row) => used.map((column) => row[column]))));
    }
    return all;
}
