// Interlace: where the links of a lattice end in a drawing
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { coordinates } from "./layout";

export interface End {
    stub: [number, number] | null; // cells to the right and up, of a link whose other end is not drawn beside; null: at its node
    bend: number; // to the side; what is longer goes around the nodes between
}

/**
 * A link of the plane goes to its node. One around the ring ends in the gap behind the last node, one into another plane
 * beside its node, so that no line crosses the drawing.
 */
export function ends(sizes: number[], from: number, to: number): End {
    const [a, b] = [coordinates(from, sizes), coordinates(to, sizes)];
    const dimension = sizes.map((_, d) => d).filter((d) => a[d] !== b[d])[0] || 0;
    const size = sizes[dimension];
    const direct = b[dimension] - a[dimension];
    // The shorter way round; of two alike the one that does not go around.
    const hop = 2 * Math.abs(direct) > size ? direct - (direct < 0 ? -size : size) : direct;
    const long = Math.abs(hop) > 1;
    const sign = hop < 0 ? -1 : 1;
    if (dimension > 1) {
        const [near, far] = long ? [0.16, 0.42] : [0.32, 0.32];
        return { stub: dimension % 2 === 0 ? [sign * far, sign * near] : [-sign * near, sign * far], bend: 0 };
    }
    if (hop !== direct) {
        const [along, aside] = [sign * 0.47, long ? sign * 0.25 : sign * 0.06];
        return { stub: dimension === 0 ? [along, -aside] : [aside, along], bend: 0 };
    }
    return { stub: null, bend: long ? 0.28 : 0.1 };
}
