// Interlace: reads a report as a reader does and compares what it shows with its document
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: node page_test.mjs CHROMIUM REPORT.html [EXPECTED.json]
// EXPECTED.json: [{"part": name, "caption": how a table's caption begins, "rows": [[cell, ...], ...]}, ...], from elsewhere than the page
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { choose, chosen, hover, open, openPage, series, tables } from "./browser.mjs";

const [, , chromium, file, expected] = process.argv;
const { browser, page, complaints, url } = await open(chromium, file);
const text = (value) => (value === null ? "" : String(value));
const close = (a, b) => Math.abs(a - b) <= 1e-5 * Math.max(Math.abs(a), Math.abs(b));
const numbers = (line) => (line.match(/-?\d+(\.\d+)?(e[-+]?\d+)?/g) ?? []).map(Number);
/** A queue's depth of 0 is infinite. */
const shownCell = (column, value) => text(value === 0 && /(depth|capacity)$/.test(column) ? "infinite" : value);
const says = (tip, value) => assert.ok(numbers(tip).some((number) => close(number, value)), `"${tip}" says ${value}`);

const parts = await page.evaluate(() => {
    const report = JSON.parse(document.getElementById("document").textContent);
    const ids = [...document.querySelectorAll("main > section")].map((section) => section.id);
    return report.parts.map((part, index) => ({ ...part, id: ids[index] }));
});

async function sweep(part) {
    const [points] = await tables(page, part.id);
    const indexOf = (name) => part.columns.findIndex((column) => column.name === name);
    const columns = points.heads.map((head) => part.columns.findIndex(({ label, unit }) => head === label || head === `${label} (${unit})`));
    const failed = new Map(part.failed.map(({ row, error }) => [row, error]));
    const wanted = part.rows.map((row, number) => columns.map((column) => (column < 0 ? failed.get(number) ?? "" : shownCell(part.columns[column].name, row[column]))));
    assert.deepEqual(points.rows, wanted);
    assert.deepEqual(points.titles, columns.map((column) => part.columns[column]?.name ?? ""));
    assert.ok(part.swept.every((name) => columns.includes(indexOf(name))));

    await filtered(part, points);

    for (const [row, wanted] of part.queues.entries()) {
        if (wanted === null || row % 3 !== 0) continue;
        const option = await page.evaluate((id, start) => [...document.querySelectorAll(`#${CSS.escape(id)} option`)].map(({ value }) => value).find((name) => name.startsWith(start)), part.id, row + ": ");
        await choose(page, part.id, "point", option);
        await queues(part.id, wanted);
    }

    const chart = part.id + "-sweep";
    const drawn = await page.evaluate((id) => !!document.getElementById(id), chart);
    if (!drawn) return;
    const [x, y] = await page.evaluate((id) => [...document.getElementById(id).querySelectorAll("select")].map((box) => box.value), part.id);
    const measured = part.columns.slice(part.swept.length).map(({ name }) => name);
    const numeric = measured.filter((column) => part.rows.every((row) => ["number", "object"].includes(typeof row[indexOf(column)]) || row[indexOf(column)] === "saturated"));
    const [atX, other] = [indexOf(x), numeric.find((column) => column !== y && part.rows.some((row) => row[indexOf(column)] !== null))];
    const infinite = (value) => value === 0 && /(depth|capacity)$/.test(x);
    // What is not filtered away.
    const only = Object.fromEntries((await chosen(page, part.id)).filter(({ label }) => label.startsWith("only")).map(({ label, value }) => [part.columns.find((column) => label === "only " + column.label).name, value]));
    const drawnRows = part.rows.filter((row) => Object.entries(only).every(([column, value]) => value === "all" || shownCell(column, row[indexOf(column)]) === value));
    const values = (column) => drawnRows.map((row) => [row[atX], row[indexOf(column)]]).filter((point) => typeof point[1] === "number" && !infinite(point[0]));
    const shown = async () => (await series(page, chart)).filter(({ type }) => type === "line").flatMap(({ data }) => data);
    const sorted = (points) => points.map((point) => point.join(" ")).sort();
    assert.deepEqual(sorted(await shown()), sorted(values(y)));
    const all = await series(page, chart);
    // What has no place in the chart is in a strip above the plot, hollow: every x at which the network was saturated.
    const absent = part.rows.filter((row) => row[indexOf(y)] === "saturated").map((row) => row[atX]);
    const strip = all.filter(({ type, yAxisIndex, markLine }) => type === "custom" && yAxisIndex === 1 && markLine);
    assert.deepEqual(strip.flatMap(({ data }) => data.map(([x]) => x)).sort(), absent.sort());
    assert.equal(await hollowAbove(chart), absent.length);
    // The curve ends at the least of them: a line says where.
    assert.deepEqual(strip.map(({ markLine }) => markLine.data[0].xAxis), strip.map(({ data }) => Math.min(...data.map(([x]) => x))));
    // Several runs have an interval around their mean.
    const half = indexOf(y + "_of_runs.half_interval");
    const bars = drawnRows.filter((row) => row[half] > 0).map((row) => [row[atX], row[indexOf(y)] - row[half], row[indexOf(y)] + row[half]]);
    assert.deepEqual(sorted(all.filter(({ type, yAxisIndex }) => type === "custom" && !yAxisIndex).flatMap(({ data }) => data)), sorted(bars));
    const legend = await page.evaluate((id) => interlace.chart(id).getOption().legend[0].data, chart);
    assert.equal(legend.some((name) => /saturated/.test(name)), absent.length > 0);
    const [first] = all;
    // The highest point has none upon it.
    const highest = all.map(({ data }, index) => [index, [...data].sort((a, b) => b[1] - a[1])[0]]).filter(([index, point]) => point && all[index].type === "line").sort((a, b) => b[1][1] - a[1][1])[0];
    says(await hover(page, chart, ...highest), highest[1][1]);
    if (other) {
        await choose(page, part.id, "y", other);
        assert.deepEqual(sorted(await shown()), sorted(values(other)));
        const hollow = (await series(page, chart)).filter(({ type }) => type === "line").flatMap(({ data, hollow }) => data.filter((_, index) => hollow[index]));
        const left = part.rows.filter((row) => row.includes("saturated")).map((row) => [row[atX], row[indexOf(other)]]);
        assert.deepEqual(sorted(hollow), sorted(left));
        await choose(page, part.id, "y", y);
    }
    await choose(page, part.id, "shown as", "slow-down");
    for (const one of await series(page, chart)) if (one.type === "line") assert.equal(Math.min(...one.data.map((point) => point[1])), 1);
    await choose(page, part.id, "shown as", "itself");
    if (first.name !== part.columns[indexOf(y)].label) await clickLegend(chart, first.name);
}

/** A filter leaves the rows that have each of its words, and the file that is saved has those. */
async function filtered(part, points) {
    const seen = (cell) => (cell === "" || Number.isNaN(Number(cell)) ? cell : String(parseFloat(Number(cell).toPrecision(6)))).toLowerCase();
    const words = points.rows[points.rows.length - 1].slice(0, 2).map(seen);
    const filter = (value) => page.evaluate((id, text) => {
        const box = document.getElementById(id).querySelector("input[type=search]");
        box.value = text;
        box.dispatchEvent(new Event("input", { bubbles: true }));
    }, part.id, value);
    await filter(words.join(" ").toUpperCase());
    const [left] = await tables(page, part.id);
    assert.deepEqual(left.rows, points.rows.filter((row) => words.every((word) => row.some((cell) => seen(cell).includes(word)))));
    assert.ok(left.rows.length > 0 && left.rows.length < points.rows.length, `${left.rows.length} rows with ${words}`);
    assert.ok(left.caption.startsWith(`Points: ${left.rows.length} of ${points.rows.length} with ${words.join(" ").toUpperCase()}`), left.caption);
    const text = await page.evaluate(async (id) => {
        const blobs = [];
        const create = URL.createObjectURL;
        URL.createObjectURL = (blob) => (blobs.push(blob), create(blob));
        const clicked = HTMLAnchorElement.prototype.click;
        HTMLAnchorElement.prototype.click = () => {};
        [...document.getElementById(id).querySelectorAll("button")].find((button) => button.textContent === "CSV").click();
        URL.createObjectURL = create;
        HTMLAnchorElement.prototype.click = clicked;
        return blobs[0].text();
    }, part.id);
    const quoted = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
    const heads = left.titles.map((title, index) => title || left.heads[index]);
    assert.equal(text, [heads, ...left.rows].map((row) => row.map(quoted).join(",") + "\r\n").join(""));
    await filter("");
    assert.equal((await tables(page, part.id))[0].rows.length, points.rows.length);
}

/** How many hollow marks are above a chart's plot, where no height could be read as a value. */
function hollowAbove(chart) {
    return page.evaluate((id) => {
        const room = document.getElementById(id);
        const top = room.getBoundingClientRect().top + interlace.chart(id).convertToPixel({ yAxisIndex: 1 }, 1);
        const hollow = [...room.querySelectorAll("svg *")].filter((shape) => /^#fff(fff)?$/.test(shape.getAttribute("fill")) && shape.hasAttribute("stroke"));
        return hollow.filter((shape) => shape.getBoundingClientRect().bottom <= top).length;
    }, chart);
}

/** A click on a name hides its series, another shows it. */
async function clickLegend(chart, name) {
    const click = async () => {
        const box = await page.evaluate(async (id, wanted) => {
            const label = () => [...document.getElementById(id).querySelectorAll("svg text")].filter((one) => one.textContent === wanted).pop();
            label().scrollIntoView({ block: "center", behavior: "instant" });
            const middle = () => {
                const { left, top, width, height } = label().getBoundingClientRect();
                return [left + width / 2, top + height / 2];
            };
            // Where it is when it stands still: a busy machine may still be drawing.
            for (let before = [], now = middle();; before = now, now = middle()) {
                if (String(before) === String(now)) return now;
                await new Promise((done) => setTimeout(done, 100));
            }
        }, chart, name);
        await page.mouse.click(...box);
        return page.evaluate((id, wanted) => interlace.chart(id).getOption().legend[0].selected[wanted], chart, name);
    };
    assert.equal(await click(), false);
    assert.equal(await click(), true);
}

async function size(part) {
    const all = await tables(page, part.id);
    const front = all.find(({ caption }) => caption.startsWith("Pareto front"));
    assert.deepEqual(front.rows, part.front.map((point) => [...point.depths, point.slow_down, point.measure, point.bytes].map(text)));
    const alone = all.find(({ caption }) => caption.startsWith("Minimum depth"));
    assert.deepEqual(alone.rows.map((row) => row.slice(0, 3)), part.alone.map((one) => [one.queue, one.within, one.free].map(text)));
    const ran = part.tried.filter((point) => point.slow_down !== null);
    const chart = part.id + "-pareto";
    assert.deepEqual((await series(page, chart))[0].data, ran.filter((point) => point.bytes !== null).map((point) => [point.bytes, point.slow_down]));
    says(await hover(page, chart, 2, [part.joint.bytes, part.joint.slow_down]), part.joint.measure);
    await clickLegend(chart, "Pareto front");
}

async function run(part) {
    const all = await tables(page, part.id);
    assert.deepEqual(all[0].names.map((name, row) => [name, all[0].rows[row][0]]), part.facts.map((fact) => fact.map(text)));
    if (part.queues) await queues(part.id, part.queues);
    if (part.links) await links(part);
    if (part.links && part.wavefront) await drawing(part);
    if (part.wavefront) await wavefront(part);
}

/** What the page shows now is `wanted`. */
async function queues(id, wanted) {
    const shown = (await tables(page, id)).find(({ caption }) => caption === "Queues");
    const rows = Object.entries(wanted).map(([name, queue]) => [name, text(queue.depth || "infinite"), text(queue.high_water), text(queue.stall_cycles)]);
    assert.deepEqual(shown.rows.map(([name, depth, , ...rest]) => [name, depth, ...rest]), rows);
    for (const [name, , mean] of shown.rows) assert.ok(close(Number(mean), wanted[name].mean));
    // Which class's bar is in the middle is for the tooltip to say.
    const tip = await hover(page, id + "-occupancy", 0, [0, 0.01]);
    says(tip, wanted[tip.split("\n")[0]].histogram[0]);
}

async function links({ id, links: { ports, utilisation } }) {
    const chart = id + "-links";
    for (const [port, name] of ports.entries()) {
        await choose(page, id, "port", name);
        const [{ data }] = await series(page, chart);
        const nodes = utilisation[port].flatMap((value, node) => (value === null ? [] : [[node, value]]));
        assert.deepEqual(data.map(([, , value, node]) => [node, value]), nodes);
        const cell = data.at(-1);
        says(await hover(page, chart, 0, cell.slice(0, 2)), cell[2]);
    }
}

/** Every link is an arrow, the thicker the more it is used; y = 0 is below in maps and drawings alike. */
async function drawing({ id, links: { sizes, nodes, ports, utilisation, to } }) {
    const up = [1, 2, 3].map((step) => step * (sizes ? sizes[0] : Math.ceil(Math.sqrt(nodes)))).filter((node) => (sizes?.[1] ?? 1) > 1 && node < nodes);
    await choose(page, id, "port", "mean of all ports"); // every node has one
    for (const map of ["-links", "-wavefront"]) {
        const places = await page.evaluate((chart, wanted) => {
            const data = interlace.chart(chart).getOption().series[0].data;
            return [0, ...wanted].map((node) => interlace.chart(chart).convertToPixel({ seriesIndex: 0 }, data.find((cell) => cell[3] === node).slice(0, 2)));
        }, id + map, up);
        for (const [index, [x, y]] of places.entries()) assert.ok(index === 0 || (y < places[index - 1][1] && x === places[0][0]), `${id + map}: ${places}`);
    }
    const shown = await page.evaluate((chart) => {
        const graph = interlace.chart(chart)?.getOption().series[0];
        return graph && { nodes: graph.data.map(({ name, x, y }) => [name, x, y]), edges: graph.edges.map(({ source, value, lineStyle }) => [Number(source), value, lineStyle.width]) };
    }, id + "-drawing");
    assert.equal(!!shown, nodes <= 256);
    if (!shown) return;
    const wanted = ports.flatMap((_, port) => to[port].flatMap((node, from) => (node === null ? [] : [[from, utilisation[port][from]]])));
    assert.deepEqual(shown.edges.map((edge) => edge.slice(0, 2)), wanted);
    const byUse = [...shown.edges].sort((a, b) => a[1] - b[1]);
    byUse.forEach(([, , width], index) => assert.ok(index === 0 || width >= byUse[index - 1][2]));
    const place = (node) => shown.nodes.find(([name]) => name === String(node));
    if (sizes) for (const node of up) assert.ok(place(node)[2] < place(0)[2] && place(node)[1] === place(0)[1]);
    // Without coordinates neighbours stand beside each other: in a ring or line, a hop apart or nearly so.
    const far = (a, b) => Math.hypot(place(a)[1] - place(b)[1], place(a)[2] - place(b)[2]);
    if (!sizes) for (let node = 2; node + 1 < nodes; ++node) assert.ok(Math.abs(far(node, node + 1) / far(2, 3) - 1) < 0.2, `${node}: ${far(node, node + 1)}`);
}

async function wavefront({ id, wavefront: { arrivals, packets, nodes, source, unit } }) {
    const chart = id + "-wavefront";
    const last = Math.max(...arrivals.map((times) => times.at(-1) ?? 0));
    for (const time of [0, 1, Math.floor(last / 3), last]) {
        await choose(page, id, unit, time);
        const counts = arrivals.map((times, node) => (node === source ? packets : times.filter((arrival) => arrival <= time).length));
        const [{ data }] = await series(page, chart);
        assert.deepEqual(data.map(([, , value]) => value), counts);
        const all = counts.filter((count) => count === packets).length;
        const some = counts.filter((count) => count > 0).length;
        const said = await page.evaluate((section) => document.querySelector(`#${CSS.escape(section)} output`).textContent, id);
        assert.equal(said, `${unit} ${time} of ${last}: ${all} of ${nodes} nodes have all, ${some} have some`);
        const cell = data[Math.floor(nodes / 2)];
        const tip = await hover(page, chart, 0, cell.slice(0, 2));
        assert.ok(tip.startsWith("node " + cell[3]) && tip.endsWith("packets " + cell[2]), tip);
    }
}

async function published(part) {
    const all = await tables(page, part.id);
    for (const [index, { rows }] of part.tables.entries()) {
        const names = { optimum: "optimal", "lower bound": "lower_bound" };
        assert.deepEqual(all[index].rows, rows.map((row) => all[index].heads.map((head) => row[names[head] ?? head])));
    }
}

/** What a page shows, in short: of each part what is chosen, and a digest of its tables and of its charts' data. */
async function state(there) {
    const digest = (value) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 12);
    const all = {};
    for (const { id } of parts) {
        const charts = await there.evaluate((section) => [...document.querySelectorAll(`#${CSS.escape(section)} .chart`)].map((room) => interlace.chart(room.id).getOption().series.map(({ data }) => data)), id);
        all[id] = [(await chosen(there, id)).map(({ label, value }) => label + ": " + value), digest(await tables(there, id)), charts.map(digest)];
    }
    return all;
}

/** What a reader chose is in the address: a link to it shows the same, in another tab and in this one. */
async function linksRestore() {
    const settled = () => new Promise((done) => setTimeout(done, 400)); // the address is written, or followed
    const go = async (there, hash) => {
        await there.bringToFront(); // others' clocks are slow
        await there.evaluate((wanted) => void (location.hash = wanted), hash);
        await settled();
    };
    const other = await openPage(browser, url);
    const first = await state(other.page);
    await page.bringToFront();
    for (const { id } of parts.filter((part) => ["run", "sweep"].includes(part.kind))) {
        // The last of whatever can be chosen.
        for (const { label, options } of await chosen(page, id)) if (!label.startsWith("only")) await choose(page, id, label, options ? options.at(-1) : 1);
        for (const { label, options } of await chosen(page, id)) if (label.startsWith("only")) await choose(page, id, label, options[1]);
    }
    const wanted = await state(page);
    for (const { id, kind } of parts) if (kind === "sweep") assert.notDeepEqual(wanted[id], first[id]);
    await page.click("#contents a");
    await settled();
    const hash = await page.evaluate(() => location.hash);
    assert.ok(hash.startsWith("#" + encodeURIComponent(parts[0].id)), hash);
    await go(other.page, hash);
    assert.deepEqual(await state(other.page), wanted);
    const third = await openPage(browser, url + hash);
    assert.deepEqual(await state(third.page), wanted);
    // An address that a reader changes, with nonsense in it.
    for (const there of [page, other.page, third.page]) {
        await go(there, "#nowhere&1.x=no&1.y=%ff&2.port=7&1.as=&&=&1.only.x=2");
        assert.deepEqual(await state(there), first);
    }
    assert.deepEqual([...other.complaints, ...third.complaints], []);
    for (const there of [other.page, third.page]) await there.close();
    await page.bringToFront();
}

/** What stands outside of its room, or upon another text, in short. */
function crowded() {
    const wrong = [];
    if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is wider than the window");
    for (const room of document.querySelectorAll(".table"))
        if (room.scrollWidth > room.clientWidth + 1) wrong.push("cut: " + room.getAttribute("aria-label"));
    for (const room of document.querySelectorAll(".chart")) {
        const box = room.getBoundingClientRect();
        const texts = [...room.querySelectorAll("svg text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
        for (const [text, at] of texts) if (at.left < box.left - 2 || at.right > box.right + 2 || at.bottom > box.bottom + 2) wrong.push(`${room.id}: "${text}" is cut`);
        texts.forEach(([text, a], index) => {
            for (const [other, b] of texts.slice(index + 1)) {
                const [across, down] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
                if (across > 2 && down > 4) wrong.push(`${room.id}: "${text}" upon "${other}"`);
            }
        });
    }
    return wrong;
}

/** On a telephone and on paper nothing is cut and no text stands upon another. */
async function narrow() {
    const settled = () => new Promise((done) => setTimeout(done, 1000));
    for (const width of [390, 1280]) {
        await page.setViewport({ width, height: 900 });
        await settled();
        assert.deepEqual(await page.evaluate(crowded), [], width + " pixels");
    }
    await page.setViewport({ width: 672, height: 900 }); // A4 without margins
    await page.emulateMediaType("print");
    await page.evaluate(() => void dispatchEvent(new Event("beforeprint")));
    await settled();
    assert.deepEqual(await page.evaluate(crowded), [], "printed");
    await page.evaluate(() => void dispatchEvent(new Event("afterprint")));
    await page.emulateMediaType("screen");
    await page.setViewport({ width: 1200, height: 900 });
    await settled();
}

/** Sorts the first table by its first column, downwards, as two clicks do. */
async function sorting() {
    const values = await page.evaluate(() => {
        const head = document.querySelector("th[aria-sort].number button");
        head.click();
        head.click();
        const table = head.closest("table");
        const column = head.parentElement.cellIndex;
        return [...table.querySelectorAll("tbody tr")].map((row) => row.cells[column].dataset.value).filter((value) => value !== "").map(Number);
    });
    assert.deepEqual(values, [...values].sort((a, b) => b - a));
}

/** The reader's scheme turns dark: the page and every chart take other colours. */
async function darkness() {
    const colours = () => {
        const charts = [...document.querySelectorAll(".chart")].map((room) => interlace.chart(room.id).getOption().backgroundColor);
        return [getComputedStyle(document.body).backgroundColor, ...charts];
    };
    const light = await page.evaluate(colours);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    const changed = `(${colours})().every((colour, index) => colour !== ${JSON.stringify(light)}[index])`;
    await page.waitForFunction(changed, { timeout: 60000 });
}

try {
    const [title, heading] = await page.evaluate(() => [JSON.parse(document.getElementById("document").textContent).title, document.querySelector("h1").textContent]);
    assert.equal(heading, title);
    for (const part of parts) await { sweep, size, run, published }[part.kind](part);
    for (const { part, caption, rows } of expected ? JSON.parse(readFileSync(expected, "utf8")) : []) {
        const all = await tables(page, parts.find(({ name }) => name === part).id);
        assert.deepEqual(all.find((table) => table.caption.startsWith(caption)).rows, rows.map((row) => row.map(text)));
    }
    await linksRestore();
    await narrow();
    const empty = await page.evaluate(() => [...document.querySelectorAll(".chart")].filter((room) => room.clientHeight < 100 || !room.querySelector("svg, canvas")).map((room) => room.id));
    assert.deepEqual(empty, []);
    await darkness();
    if (parts.some((part) => part.kind === "sweep")) await sorting();
    assert.deepEqual(complaints, []);
    console.log(`${parts.length} parts, as the document has them`);
} finally {
    await browser.close();
}
