// Interlace: a small network's nodes as circles and its links as arrows, coloured by their use
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Links } from "../document";
import { percent, tooltip } from "../text";
import { base, Chart, Room } from "./chart";
import { coordinates, layOut } from "./layout";
import { ends, End } from "./link_ends";
import { stressLayout } from "./stress";
import { Theme } from "./theme";

const mostNodes = 256;
const margin = { left: 24, right: 104, top: 34, bottom: 16 };
const largestCell = 62;
const largestHeight = 640;
const labelled = 14; // pixels of a circle that has room for its number

/** Whether the network is small enough, and its links are known. */
export function isDrawn(links: Links): boolean {
    return !!links.to && links.nodes <= mostNodes;
}

/** One directed link. */
interface Arrow {
    from: number;
    to: number;
    port: string;
    use: number;
    end: End | null; // null: the node itself, wherever it stands
}

function arrows(links: Links): Arrow[] {
    const all: Arrow[] = [];
    links.ports.forEach((port, p) => {
        for (let from = 0; from < links.nodes; ++from) {
            const to = (links.to as (number | null)[][])[p][from];
            const use = links.utilisation[p][from];
            if (to !== null && use !== null) all.push({ from, to, port, use, end: links.sizes === null ? null : ends(links.sizes, from, to) });
        }
    });
    return all;
}

/** Where the nodes stand: cells to the right and up, from 0 on. */
interface Plan {
    places: [number, number][];
    columns: number;
    rows: number;
}

function plan(links: Links, all: Arrow[], width: number): Plan {
    if (links.sizes !== null) return layOut(links.sizes, links.nodes, width);
    const neighbours: number[][] = [];
    for (let node = 0; node < links.nodes; ++node) neighbours.push([]);
    for (const { from, to } of all) {
        neighbours[from].push(to);
        neighbours[to].push(from);
    }
    const found = stressLayout(neighbours);
    const least = [0, 1].map((d) => Math.min.apply(null, found.map((place) => place[d])));
    const most = [0, 1].map((d) => Math.max.apply(null, found.map((place) => place[d])));
    const places = found.map(([x, y]): [number, number] => [x - least[0], y - least[1]]);
    return { places, columns: most[0] - least[0] + 1, rows: most[1] - least[1] + 1 };
}

export function drawingChart(links: Links, theme: Theme, room: Room): Chart {
    const all = arrows(links);
    const most = all.reduce((highest, { use }) => Math.max(highest, use), 0) || 1;
    const wide = room.width - margin.left - margin.right;
    const { columns, rows, places } = plan(links, all, wide);
    const high = (room.height || largestHeight) - margin.top - margin.bottom;
    const cell = Math.min(wide / columns, high / rows, largestCell);
    const size = { width: cell * columns, height: cell * rows };
    const circle = Math.max(3, cell * (links.sizes === null ? 0.3 : 0.4));
    const where = (node: number) => (links.sizes === null ? "" : " (" + coordinates(node, links.sizes).join(", ") + ")");
    // In pixels: the library rounds to halves of its unit. y grows downwards on a screen, and upwards in every map of the network.
    const point = (x: number, y: number) => ({ x: x * cell, y: (rows - 1 - y) * cell });
    const nodes: object[] = places.map(([column, row], node) => ({
        name: String(node),
        ...point(column, row),
        label: { show: circle >= labelled, formatter: String(node) },
        tooltip: { formatter: () => tooltip("node " + node + where(node)) },
    }));
    const hidden = (name: string, x: number, y: number) => nodes.push({ name, ...point(x, y), symbolSize: 0, label: { show: false }, tooltip: { show: false } });
    const edges = all.map(({ from, to, port, use, end }, index) => {
        const stub = end !== null && end.stub !== null;
        if (end !== null && end.stub !== null) hidden("end " + index, places[from][0] + end.stub[0], places[from][1] + end.stub[1]);
        return {
            source: String(from),
            target: stub ? "end " + index : String(to),
            value: use,
            lineStyle: { color: shade(theme.use, use / most), width: 1 + (3 * use) / most, curveness: end === null ? 0.1 : end.bend, opacity: 1 },
            tooltip: { formatter: () => tooltip("node " + from + where(from) + " to node " + to + where(to), port, "utilisation " + percent(use)) },
        };
    });
    hidden("corner", -0.5, -0.5);
    hidden("other corner", columns - 0.5, rows - 0.5);
    const height = room.height || Math.max(size.height + margin.top + margin.bottom, 190);
    const graph = {
        type: "graph",
        id: "network",
        layout: "none",
        ...size,
        left: margin.left,
        top: margin.top,
        symbolSize: circle,
        itemStyle: { color: theme.background, borderColor: theme.ink, borderWidth: 1 },
        label: { color: theme.ink, fontSize: 10 },
        edgeSymbol: ["none", "arrow"],
        edgeSymbolSize: Math.max(4, cell * 0.13),
        data: nodes,
        edges,
    };
    const option = { ...base(theme), toolbox: toolbox(theme), visualMap: scale(theme, most, margin.left + size.width + 12), series: [graph, { type: "graph", data: [] }] };
    return { kind: "drawing", label: "nodes and links, coloured by utilisation", height, option };
}

function toolbox(theme: Theme) {
    const feature = { saveAsImage: { backgroundColor: theme.background, pixelRatio: 3 } };
    return { left: margin.left, top: 0, itemSize: 14, iconStyle: { borderColor: theme.muted }, feature };
}

/** What the colours mean. */
function scale(theme: Theme, most: number, left: number) {
    return {
        type: "continuous",
        seriesIndex: 1,
        min: 0,
        max: most,
        calculable: false,
        text: ["utilisation\n" + percent(most), "0%"],
        left,
        top: margin.top - 12,
        itemWidth: 14,
        itemHeight: 80,
        inRange: { color: theme.use },
        textStyle: { color: theme.ink, lineHeight: 16 },
    };
}

/** The colour of a share from 0 to 1. */
function shade(colors: string[], share: number): string {
    const at = Math.min(share, 1) * (colors.length - 1);
    const low = Math.min(Math.floor(at), colors.length - 2);
    const part = (color: string, channel: number) => parseInt(color.substr(1 + 2 * channel, 2), 16);
    const mixed = [0, 1, 2].map((channel) => Math.round(part(colors[low], channel) * (low + 1 - at) + part(colors[low + 1], channel) * (at - low)));
    return "rgb(" + mixed.join(",") + ")";
}
