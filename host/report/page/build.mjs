// Interlace: makes the page and the script that draws figures
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: node build.mjs FOLDER        in a folder with node_modules: FOLDER/page.html, where @document@ stands for the document, and FOLDER/figures.js
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const libraries = ["echarts", "zrender", "tslib"];

function text(file) {
    return readFileSync(file, "utf8");
}

async function bundle(entry, more) {
    const made = await build({ entryPoints: [entry], bundle: true, target: "es5", format: "iife", legalComments: "none", write: false, logLevel: "warning", ...more });
    return made.outputFiles[0].text;
}

function licences() {
    const files = libraries.flatMap((library) => ["LICENSE", "LICENSE.txt", "NOTICE"].map((name) => `node_modules/${library}/${name}`));
    return files.filter(existsSync).map((file) => `${file}\n\n${text(file)}`).join("\n");
}

// Both are ES5: the engine that draws figures knows no later one.
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "--project", "."], { stdio: "inherit" });
const parts = {
    style: (await build({ entryPoints: ["page.css"], minify: true, write: false })).outputFiles[0].text.trim(),
    script: (await bundle("es5/page/main.js", { minify: true })).trim(),
    licences: licences().trim(),
};
// A part may contain "$&": only a function puts it in as it is.
const page = text("page.html").replace(/@(style|script|licences)@/g, (_, part) => parts[part]);
// That engine lacks timers, which only animations need, and cannot read all that a minifier makes of syntax.
const figures = await bundle("es5/figures.js", {
    minifyWhitespace: true,
    minifyIdentifiers: true,
    globalName: "interlace",
    banner: { js: "var global = this, setTimeout = function () {}, clearTimeout = setTimeout;" },
});
writeFileSync(`${process.argv[2]}/page.html`, page);
writeFileSync(`${process.argv[2]}/figures.js`, figures);
