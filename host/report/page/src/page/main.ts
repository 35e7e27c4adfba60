// Interlace: the page: contents and a section for each part of the document
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Part, ReportDocument } from "../document";
import { slug } from "../text";
import { drawCharts, viewOf } from "./chart_view";
import { element } from "./element";
import { publishedSection } from "./published_section";
import { runSection } from "./run_section";
import { sizeSection } from "./size_section";
import { sweepSection } from "./sweep_section";

function content(part: Part, id: string): HTMLElement[] {
    if (part.kind === "sweep") return sweepSection(part, id);
    if (part.kind === "size") return sizeSection(part, id);
    if (part.kind === "run") return runSection(part, id);
    return publishedSection(part, id);
}

function place(id: string): HTMLElement {
    return document.getElementById(id) as HTMLElement;
}

const report = JSON.parse(place("document").textContent as string) as ReportDocument;
document.title = report.title;
place("title").textContent = report.title;
place("origin").textContent = "interlace " + report.version + ", commit " + report.git_commit;
report.parts.forEach((part, index) => {
    const id = "part-" + (index + 1) + "-" + slug(part.name);
    const heading = element("h2", { id: id + "-heading" }, part.name);
    const from = element("p", { class: "from" }, element("span", { class: "kind" }, part.kind), " " + part.file);
    place("parts").appendChild(element("section", { id, "aria-labelledby": heading.id }, heading, from, ...content(part, id)));
    place("contents").appendChild(element("li", {}, element("a", { href: "#" + id }, part.name)));
});
drawCharts();

// For scripts that drive the page, as the tests do.
(window as unknown as { interlace: object }).interlace = { chart: (id: string) => viewOf(id)?.drawn };
