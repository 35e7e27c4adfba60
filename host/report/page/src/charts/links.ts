// Interlace: how busy the links of a run were
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Links } from "../document";
import { shown } from "../text";
import { Chart, Room } from "./chart";
import { HeatMap, heatMapChart, mapLayout, Values } from "./heat_map";
import { Theme } from "./theme";
import { timeChart } from "./time";

export const meanOfPorts = "mean of all ports";
export const busiestPort = "busiest port";

export function portChoices(links: Links): string[] {
    return [meanOfPorts, busiestPort].concat(links.ports);
}

/** Each node's utilisation of the chosen port; null where it has no such link. */
export function utilisation(links: Links, choice: string): Values {
    const port = links.ports.indexOf(choice);
    if (port >= 0) return links.utilisation[port];
    const values: Values = [];
    for (let node = 0; node < links.nodes; ++node) {
        const known: number[] = [];
        for (const ofPort of links.utilisation) if (ofPort[node] !== null) known.push(ofPort[node] as number);
        const sum = known.reduce((total, value) => total + value, 0);
        values.push(known.length === 0 ? null : choice === busiestPort ? Math.max.apply(null, known) : sum / known.length);
    }
    return values;
}

export function linksChart(links: Links, choice: string, theme: Theme, room: Room): Chart {
    // One scale for all ports, so that choices can be compared.
    const maximum = Math.max.apply(null, utilisation(links, busiestPort).map(Number));
    const map: HeatMap = {
        kind: "links",
        label: "utilisation of links at each node, " + choice,
        layout: mapLayout(links.sizes, links.nodes, room),
        sizes: links.sizes,
        values: utilisation(links, choice),
        maximum,
        quantity: "utilisation (" + choice + ")",
        digits: (share) => shown(parseFloat((share * 100).toPrecision(3))) + "%",
    };
    return heatMapChart(map, theme, room);
}

export function linksOverTimeChart(links: Links, theme: Theme, room: Room): Chart {
    const { over_time, window, unit } = links;
    return timeChart({ kind: "links-over-time", values: over_time, window, unit, quantity: "mean utilisation of all links" }, theme, room);
}
