// Interlace: which nodes of a broadcast have how much, at any time
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Wavefront } from "../document";
import { Chart, Room } from "./chart";
import { heatMapChart, mapLayout, Values } from "./heat_map";
import { Theme } from "./theme";

export function lastArrival(front: Wavefront): number {
    let last = 0;
    for (const times of front.arrivals) if (times.length > 0) last = Math.max(last, times[times.length - 1]);
    return last;
}

/** The time that is shown at first: much is under way. */
export function halfTime(front: Wavefront): number {
    return Math.floor(lastArrival(front) / 2);
}

/** Packets that each node has at `time`; the source has all of them from the beginning. */
export function packetsAt(front: Wavefront, time: number): number[] {
    return front.arrivals.map((times, node) => {
        if (node === front.source) return front.packets;
        let low = 0;
        let high = times.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (times[middle] <= time) low = middle + 1;
            else high = middle;
        }
        return low;
    });
}

export function wavefrontText(front: Wavefront, time: number, counts: Values): string {
    const all = counts.filter((count) => count === front.packets).length;
    const some = counts.filter((count) => count !== null && count > 0).length;
    return front.unit + " " + time + " of " + lastArrival(front) + ": " + all + " of " + front.nodes + " nodes have all, " + some + " have some";
}

export function wavefrontChart(front: Wavefront, time: number, theme: Theme, room: Room): Chart {
    const values = packetsAt(front, time);
    return heatMapChart(
        {
            kind: "wavefront",
            label: wavefrontText(front, time, values),
            layout: mapLayout(front.sizes, front.nodes, room),
            sizes: front.sizes,
            values,
            maximum: front.packets,
            quantity: "packets",
            digits: (value) => String(Math.round(value)),
        },
        theme,
        room,
    );
}
