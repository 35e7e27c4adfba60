// Interlace: the page: contents and a section for each part of the document
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Part, ReportDocument } from "../document";
import { slug } from "../text";
import { drawCharts, followReader, forgetCharts, viewOf } from "./chart_view";
import { clear, element } from "./element";
import { follow } from "./live";
import { publishedSection } from "./published_section";
import { keepPlace } from "./reader";
import { runSection } from "./run_section";
import { goTo, readAddress, scrollToSection, Settings, settingsOf } from "./settings";
import { sizeSection } from "./size_section";
import { sweepSection } from "./sweep_section";

function content(part: Part, id: string, settings: Settings): HTMLElement[] {
    if (part.kind === "sweep") return sweepSection(part, id, settings);
    if (part.kind === "size") return sizeSection(part, id);
    if (part.kind === "run") return runSection(part, id, settings);
    return publishedSection(part, id);
}

function place(id: string): HTMLElement {
    return document.getElementById(id) as HTMLElement;
}

let report = JSON.parse(place("document").textContent as string) as ReportDocument;

function show() {
    forgetCharts();
    for (const id of ["parts", "contents"]) clear(place(id));
    document.title = report.title;
    place("title").textContent = report.title;
    place("origin").textContent = "interlace " + report.version + ", commit " + report.git_commit;
    report.parts.forEach((part, index) => {
        const id = "part-" + (index + 1) + "-" + slug(part.name);
        const heading = element("h2", { id: id + "-heading" }, part.name);
        const from = element("p", { class: "from" }, element("span", { class: "kind" }, part.kind), " " + part.file);
        const section = element("section", { id, "aria-labelledby": heading.id }, heading, from, ...content(part, id, settingsOf(index + 1)));
        place("parts").appendChild(section);
        place("contents").appendChild(element("li", {}, link(part.name, id)));
    });
    drawCharts();
}

function link(text: string, id: string): HTMLElement {
    const made = element("a", { href: "#" + id }, text);
    made.onclick = (event) => {
        event.preventDefault();
        goTo(id);
    };
    return made;
}

const showAsAddressed = () => {
    readAddress();
    show();
    scrollToSection();
};
showAsAddressed();
followReader();
window.addEventListener("hashchange", showAsAddressed);
const showAnew = (newer: ReportDocument) => {
    report = newer;
    keepPlace(place("parts"), show);
};
if (report.live) follow(report, showAnew, (sentence) => (place("state").textContent = sentence));

// For scripts that drive the page, as the tests do.
(window as unknown as { interlace: object }).interlace = { chart: (id: string) => viewOf(id)?.drawn };
