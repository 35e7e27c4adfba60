// Interlace: places for the nodes of a network that has no coordinates
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0

const rounds = 100;

/** Hops from `start`, links taken either way; where there is no way, as many as nodes. */
function distances(neighbours: number[][], start: number): number[] {
    const hops = neighbours.map(() => neighbours.length);
    hops[start] = 0;
    for (const reached = [start]; reached.length > 0; ) {
        const node = reached.shift() as number;
        for (const next of neighbours[node])
            if (hops[next] > hops[node] + 1) {
                hops[next] = hops[node] + 1;
                reached.push(next);
            }
    }
    return hops;
}

/**
 * Nodes as far from each other as hops, as nearly as a plane allows: stress majorization, one node at a time (Gansner, Koren
 * and North, Graph Drawing 2004), from a circle in the order of their numbers. A hop is 1 long.
 */
export function stressLayout(neighbours: number[][]): [number, number][] {
    const count = neighbours.length;
    const places = neighbours.map((_, node): [number, number] => {
        const angle = (2 * Math.PI * node) / count;
        return [(count * Math.cos(angle)) / 6, (count * Math.sin(angle)) / 6];
    });
    const hops = neighbours.map((_, node) => distances(neighbours, node));
    for (let round = 0; round < rounds; ++round)
        for (let node = 0; node < count; ++node) {
            const [x, y] = places[node];
            let [sumX, sumY, weights] = [0, 0, 0];
            for (let other = 0; other < count; ++other) {
                if (other === node) continue;
                const [dx, dy] = [x - places[other][0], y - places[other][1]];
                const stretch = hops[node][other] / (Math.sqrt(dx * dx + dy * dy) || 1);
                const weight = 1 / (hops[node][other] * hops[node][other]);
                sumX += weight * (places[other][0] + stretch * dx);
                sumY += weight * (places[other][1] + stretch * dy);
                weights += weight;
            }
            if (weights > 0) places[node] = [sumX / weights, sumY / weights];
        }
    return places;
}
