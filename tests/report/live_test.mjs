// Interlace: looks on as a sweep runs, by a page that interlace report serves, and goes on choosing
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: node live_test.mjs CHROMIUM INTERLACE SWEEP.yaml        in a folder of its own, which gets SWEEP.db
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chosen, choose, openAt, tables } from "./browser.mjs";

const [, , chromium, interlace, sweep] = process.argv;
const results = sweep.replace(/yaml$/, "db");
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const rows = (where) => JSON.parse("[" + execFileSync(interlace, ["results", results, "--jsonl", ...where], { encoding: "utf8" }).trim().replace(/\n/g, ",") + "]");

// The first two points, and what is left of a sweep that was killed.
const first = spawn(interlace, ["sweep", sweep], { stdio: "ignore" });
for (let found = 0; found < 2; await wait(50))
    try {
        found = rows(["--where", "status=done"]).length;
    } catch {} // no file yet
first.kill("SIGKILL");
await once(first, "exit");

const server = spawn(interlace, ["report", "--serve", results, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
const said = String((await once(server.stdout, "data"))[0]);
const url = said.match(/^http:\/\/127\.0\.0\.1:\d+\//)[0];
const { browser, page, complaints } = await openAt(chromium, url);
let second = null;
try {
    const id = await page.evaluate(() => document.querySelector("main > section").id);
    // Points drawn and what the page says of them, at one moment: asked one after the other, the page may be drawn anew in between.
    const look = () => page.evaluate((chart) => [
        interlace.chart(chart).getOption().series.filter(({ type }) => type === "line").reduce((sum, { data }) => sum + data.length, 0),
        document.querySelector(".progress")?.textContent.trim() ?? "",
    ], id + "-sweep");
    const all = rows([]).length;
    const before = rows(["--where", "status=done"]).length;
    assert.deepEqual(await look(), [before, `${before} of ${all} points done`]);

    // What a reader has chosen, opened, sorted and hidden, and where.
    await choose(page, id, "y", "lower_bound");
    await page.evaluate(() => {
        document.querySelector("details").open = true;
        document.querySelector("thead th.number button").click();
        document.querySelector("thead th.number button").click();
        document.querySelector("input[type=search]").focus({ preventScroll: true });
        scrollTo({ top: 120, behavior: "instant" });
    });
    const choices = async () => (await chosen(page, id)).map(({ label, value }) => [label, value]);
    const mine = () => page.evaluate(() => [document.querySelector("details").open, document.querySelector("thead th.number").getAttribute("aria-sort"), document.activeElement.type, scrollY]);
    const [chose, place] = [await choices(), await mine()];
    assert.deepEqual(place, [true, "descending", "search", 120]);

    second = spawn(interlace, ["sweep", sweep], { stdio: "ignore" });
    const seen = new Set();
    for (let now = before; now < all; await wait(200)) {
        let text;
        [now, text] = await look();
        seen.add(now);
        assert.equal(text, now < all ? `${now} of ${all} points done` : "");
        assert.deepEqual(await choices(), chose);
        assert.deepEqual(await mine(), place);
    }
    assert.ok(seen.size > 2, `points come one after the other: ${[...seen]}`);
    const [points] = await tables(page, id);
    assert.deepEqual(points.rows.map((row) => row.map(Number)).sort((a, b) => a[0] - b[0]), rows([]).map((row) => points.titles.map((name) => row[name])));

    server.kill("SIGINT");
    assert.deepEqual((await once(server, "exit"))[0], 0);
    await page.waitForFunction(() => document.getElementById("state").textContent.includes("has ended"), { timeout: 10000 });
    assert.equal((await look())[0], all);
    assert.deepEqual(complaints.filter((one) => !one.includes("ERR_CONNECTION_REFUSED")), []);
    console.log(`${all} points, seen at ${[...seen].join(", ")}`);
} finally {
    for (const program of [server, second]) program?.kill("SIGKILL");
    await browser.close();
}
