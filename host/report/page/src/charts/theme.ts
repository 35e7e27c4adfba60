// Interlace: colours, symbols and dashes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0

export interface Theme {
    dark: boolean;
    ink: string;
    muted: string;
    line: string;
    faint: string;
    background: string;
    series: string[];
    use: string[]; // of lines, from little to much: away from the background in even steps of lightness
}

// Okabe and Ito's colours, told apart by nearly everyone; each scheme leaves out those too near its background.
export const light: Theme = {
    dark: false,
    ink: "#1a1d21",
    muted: "#565f6b",
    line: "#b9c0ca",
    faint: "#e6e9ee",
    background: "#ffffff",
    series: ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"],
    use: ["#cdd4dc", "#9dbbd3", "#5f97c4", "#1f6fa8", "#0b3c61"],
};

export const dark: Theme = {
    dark: true,
    ink: "#e8eaed",
    muted: "#a3adb9",
    line: "#4d5763",
    faint: "#2a313a",
    background: "#15191e",
    series: ["#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#D55E00", "#ffffff"],
    use: ["#3a434d", "#3f6b8c", "#4a97c7", "#8fc9ee", "#e6f5ff"],
};

/** cividis, from low to high: even steps of lightness, so grey print keeps the order. */
export const cividis = ["#00224E", "#1E3A6F", "#434E6C", "#60636D", "#7C7B78", "#9B9477", "#BCAF6F", "#DFCB5D", "#FEE838"];

// All are full: hollow ones mark a saturated load.
const symbols = ["circle", "rect", "triangle", "diamond"];
const dashes = ["solid", [7, 3], [2, 3], [9, 3, 2, 3]];

/** How the index-th series differs from the others: by colour, and in grey by symbol and dashes. */
export function look(theme: Theme, index: number) {
    const color = theme.series[index % theme.series.length];
    const dash = index + Math.floor(index / symbols.length);
    return {
        color,
        symbol: symbols[index % symbols.length],
        symbolSize: 8,
        itemStyle: { color },
        lineStyle: { color, width: 2, type: dashes[dash % dashes.length] },
    };
}
