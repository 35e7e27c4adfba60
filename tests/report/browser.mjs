// Interlace: a browser for tests, and what a reader does with it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

/** Opens a file and notes everything that a page on a disk must not do. */
export function open(executablePath, file) {
    return openAt(executablePath, pathToFileURL(file).href);
}

/** The same at an address, where a page may ask its own server. */
export async function openAt(executablePath, url) {
    const browser = await puppeteer.launch({ executablePath, headless: true, args: ["--no-sandbox"] });
    const { page, complaints } = await openPage(browser, url);
    return { browser, page, complaints, url };
}

const bare = (url) => url.replace(/#.*/, "");

/** A page in a tab of its own, of which the same is noted. */
export async function openPage(browser, url) {
    const page = await browser.newPage();
    const complaints = [];
    page.on("console", (message) => ["error", "warn"].includes(message.type()) && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => bare(request.url()) !== bare(url) && !(url.startsWith("http:") && request.url() === new URL("document.json", url).href) && !request.url().startsWith("data:") && complaints.push("request of " + request.url()));
    await page.setViewport({ width: 1200, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
    await page.goto(url);
    return { page, complaints };
}

/** What a chart shows now: the data of each series, by its place, and which of its points are hollow. */
export function series(page, chart) {
    return page.evaluate((id) => interlace.chart(id).getOption().series.map(({ name, type, symbol, yAxisIndex, markLine, data }) => ({
        name, type, symbol, yAxisIndex, markLine,
        data: data.map((item) => item?.value ?? item),
        hollow: data.map((item) => (item?.symbol ?? "").startsWith("empty")),
    })), chart);
}

/** The tooltip over a point given in a series' own values. */
export async function hover(page, chart, seriesIndex, point) {
    const at = await page.evaluate((id, index, value) => {
        const room = document.getElementById(id);
        room.scrollIntoView({ block: "center", behavior: "instant" });
        const [x, y] = interlace.chart(id).convertToPixel({ seriesIndex: index }, value);
        const box = room.getBoundingClientRect();
        return [box.left + x, box.top + y];
    }, chart, seriesIndex, point);
    await page.mouse.move(at[0] + 40, at[1] + 25);
    await page.mouse.move(at[0], at[1], { steps: 3 });
    const tip = () => page.evaluate((id) => [...document.getElementById(id).querySelectorAll("div")].find((div) => div.style.pointerEvents === "none" && div.innerText && div.style.visibility !== "hidden")?.innerText, chart);
    let text;
    for (let tries = 0; tries < 20 && !text; ++tries) {
        text = await tip();
        if (!text) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return text ?? "";
}

/** All tables of a part's section: caption, heads and the exact values of cells. */
export function tables(page, section) {
    return page.evaluate((id) => [...document.getElementById(id).querySelectorAll("table")].map((table) => ({
        caption: table.caption.textContent,
        heads: [...table.querySelectorAll("thead th")].map((head) => head.textContent),
        titles: [...table.querySelectorAll("thead th")].map((head) => head.title),
        rows: [...table.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td")].map((cell) => cell.dataset.value)),
        names: [...table.querySelectorAll("tbody th")].map((head) => head.textContent),
    })), section);
}

/** Chooses an option of the select (or sets the slider) whose label begins with `label`. */
export function choose(page, section, label, value) {
    return page.evaluate((id, text, wanted) => {
        const found = [...document.getElementById(id).querySelectorAll("label")].find((one) => (one.textContent.trim() + " ").startsWith(text + " "));
        const control = found.querySelector("select, input");
        if (control.type === "checkbox") control.checked = Boolean(wanted);
        else control.value = wanted;
        control.dispatchEvent(new Event(["range", "search"].includes(control.type) ? "input" : "change", { bubbles: true }));
    }, section, label, String(value));
}

/** What is chosen in a section: each control's label, value and, of those that have them, options. */
export function chosen(page, section) {
    return page.evaluate((id) => [...document.getElementById(id).querySelectorAll(".controls > label")].map((label) => {
        const control = label.querySelector("select, input");
        const value = control.type === "checkbox" ? control.checked : control.value;
        return { label: label.textContent.trim().split(" ")[0] === "log" ? label.textContent.trim() : label.firstChild.textContent.trim(), value, options: control.options && [...control.options].map((one) => one.value) };
    }), section);
}
