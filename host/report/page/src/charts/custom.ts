// Interlace: what the plotting library gives to shapes that we draw ourselves
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0

/** Where the plot is, in pixels. */
export interface Drawing {
    coordSys: { x: number; y: number; width: number; height: number };
}

/** The numbers of a datum, and pixels of a point in the units of both axes. */
export interface Api {
    value(dimension: number): number;
    coord(point: number[]): number[];
}
