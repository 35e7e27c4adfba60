// Interlace: intervals of a series' points
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { Api, Drawing } from "./custom";
import { Series } from "./series";

const halfWidth = 4; // pixels

/** From below to above each point that has an interval; on a logarithmic axis at most down to `least`, where it reaches 0. */
export function errorBars(series: Series, color: string, least: number | null) {
    const known = series.points.filter((point) => point.half > 0);
    const low = (y: number) => (least !== null && y <= 0 ? least : y);
    return {
        type: "custom",
        name: series.name,
        silent: true,
        clip: true,
        z: 1,
        data: known.map((point) => [point.x, low(point.y - point.half), point.y + point.half]),
        encode: { x: 0, y: [1, 2] },
        renderItem: (_: Drawing, api: Api) => {
            const [x, below] = api.coord([api.value(0), api.value(1)]);
            const above = api.coord([api.value(0), api.value(2)])[1];
            const line = (x1: number, y1: number, x2: number, y2: number) => ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: color, lineWidth: 1.5 } });
            return {
                type: "group",
                children: [line(x, below, x, above), line(x - halfWidth, below, x + halfWidth, below), line(x - halfWidth, above, x + halfWidth, above)],
            };
        },
    };
}
