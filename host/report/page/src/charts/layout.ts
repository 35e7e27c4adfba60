// Interlace: where the nodes of a network stand in a plane
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0

export interface Layout {
    columns: number;
    rows: number; // row 0 is the lowest: all coordinates grow to the right and upwards
    places: [number, number][]; // column and row of each node
    planes: { name: string; column: number; row: number }[]; // where a plane's name begins
    xName: string;
    yName: string;
    xLabel: (column: number) => string;
    yLabel: (row: number) => string;
}

const letters = "xyzw";
const planeNameHeight = 16; // pixels

export function dimensionName(dimension: number): string {
    return letters.charAt(dimension) || "axis " + dimension;
}

/** A node's coordinates; the first varies fastest. */
export function coordinates(node: number, sizes: number[]): number[] {
    return sizes.map((size) => {
        const coordinate = node % size;
        node = Math.floor(node / size);
        return coordinate;
    });
}

/** For a plane `width` pixels wide: names of planes have room between them. */
export function layOut(sizes: number[] | null, nodes: number, width: number): Layout {
    if (sizes === null) return wrapped(nodes);
    return sizes.length < 3 ? plane(sizes, nodes) : planes(sizes, nodes, width);
}

/** One dimension is a row, two are a plane. */
function plane(sizes: number[], nodes: number): Layout {
    const places: [number, number][] = [];
    for (let node = 0; node < nodes; ++node) places.push([node % sizes[0], Math.floor(node / sizes[0])]);
    return { columns: sizes[0], rows: sizes[1] || 1, places, planes: [], xName: "x", yName: sizes.length > 1 ? "y" : "", xLabel: String, yLabel: sizes.length > 1 ? String : () => "" };
}

/** No lattice: node by node, near to a square. */
function wrapped(nodes: number): Layout {
    const columns = Math.ceil(Math.sqrt(nodes));
    const rows = Math.ceil(nodes / columns);
    const places: [number, number][] = [];
    for (let node = 0; node < nodes; ++node) places.push([node % columns, Math.floor(node / columns)]);
    return { columns, rows, places, planes: [], xName: "column", yName: "first node of the row", xLabel: String, yLabel: (row) => String(row * columns) };
}

/** Three dimensions and more: xy planes side by side, the first at the lower left, as many in a row as make the whole handy. */
function planes(sizes: number[], nodes: number, pixels: number): Layout {
    const [width, height] = sizes;
    const count = nodes / (width * height);
    let best = { across: 1, columns: 0, rows: 0, gap: 0, score: Infinity };
    for (let across = 1; across <= count; ++across) {
        const columns = across * (width + 1) - 1;
        const gap = Math.max(1, Math.ceil((planeNameHeight * columns) / pixels));
        const rows = Math.ceil(count / across) * (height + gap);
        const score = Math.abs(Math.log(columns / rows / 1.5)) + (Math.ceil(count / across) * across) / count;
        if (score < best.score) best = { across, columns, rows, gap, score };
    }
    const corner = (index: number): [number, number] => [
        (index % best.across) * (width + 1),
        Math.floor(index / best.across) * (height + best.gap),
    ];
    const places: [number, number][] = [];
    for (let node = 0; node < nodes; ++node) {
        const [column, row] = corner(Math.floor(node / (width * height)));
        places.push([column + (node % width), row + (Math.floor(node / width) % height)]);
    }
    const named: Layout["planes"] = [];
    for (let index = 0; index < count; ++index) {
        const [column, row] = corner(index);
        const name = coordinates(index, sizes.slice(2)).map((at, i) => dimensionName(i + 2) + " " + at).join(", ");
        named.push({ name, column, row: row + height });
    }
    return { columns: best.columns, rows: best.rows, places, planes: named, xName: "x in each plane", yName: "y in each plane", xLabel: () => "", yLabel: () => "" };
}
