// Interlace: the document that a report shows, as the C++ side writes it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0

export type Cell = number | string | boolean | null;

/** Of a sweep. A column without a label has its name as one; "": without a unit. */
export interface Column {
    name: string;
    label: string;
    unit: string;
}

export interface SweepPart {
    kind: "sweep";
    name: string;
    file: string;
    study: string; // broadcast, traffic, ...; "" where no point says it
    swept: string[];
    columns: Column[];
    rows: Cell[][];
    failed: { row: number; error: string }[];
    pending?: number; // rows that have not been run
    queues: ({ [queue: string]: Queue } | null)[]; // of each row; empty: of none
}

/** What is recommended, under seeds that the search did not use. */
export interface Confirmed {
    held: boolean;
    slow_down: number | null;
    half_interval: number;
    seeds: number;
}

export interface Sized {
    depths: (number | null)[]; // null: infinite
    measure: number | null;
    slow_down: number | null; // null: failed
    half_interval?: number; // of the slow-down, 95%, where points are several seeds
    seeds?: number;
    confirmed?: Confirmed;
    bytes: number | null; // null: infinite
}

export interface SizePart {
    kind: "size";
    name: string;
    file: string;
    measure: string;
    carried?: boolean; // false: saturated even with infinite queues
    tolerance: number;
    random?: boolean; // runs under different seeds differ
    seeds?: number; // of a point, at least
    fixed?: { [queue: string]: number | null }; // as in the file; null: infinite
    reference: number;
    half_interval?: number; // of the reference, 95%, as a share of it
    unit: string;
    queues: string[];
    alone: {
        queue: string;
        within: number;
        free: number;
        not_monotone: string;
        slow_down?: number | null; // at `within`
        half_interval?: number;
        confirmed?: Confirmed;
        tried: [number, number | null, number | null, number?][]; // depth, measure, slow-down, half of its interval
    }[];
    joint: Sized;
    front: Sized[];
    tried: Sized[];
}

export interface Queue {
    depth: number; // 0: infinite
    mean: number;
    high_water: number;
    stall_cycles: number;
    histogram: number[]; // queue-cycles with i flits in the queue
}

export interface Links {
    sizes: number[] | null;
    nodes: number;
    ports: string[];
    utilisation: (number | null)[][]; // a list for each port
    to?: (number | null)[][]; // likewise: the node at the other end
    window: number;
    over_time: number[];
    unit: string;
}

export interface Wavefront {
    sizes: number[] | null;
    nodes: number;
    packets: number;
    source: number;
    unit: string;
    arrivals: number[][];
}

export interface RunPart {
    kind: "run";
    name: string;
    file: string;
    facts: [string, Cell][];
    queues: { [queue: string]: Queue } | null;
    links: Links | null;
    wavefront: Wavefront | null;
    per_step: { unit: string; in_flight: number[]; utilisation: number[] } | null;
    tables: { caption: string; columns: string[]; rows: Cell[][] }[];
}

export interface PublishedRow {
    quantity: string;
    network: string;
    source: string;
    published: string;
    computed: string;
    optimal: string;
    lower_bound: string;
    verdict: string;
    why: string;
}

export interface PublishedTable {
    name: string;
    title: string;
    rows: PublishedRow[];
}

export interface PublishedPart {
    kind: "published";
    name: string;
    file: string;
    tables: PublishedTable[];
}

export type Part = SweepPart | SizePart | RunPart | PublishedPart;

export interface ReportDocument {
    schema: number;
    title: string;
    version: string;
    git_commit: string;
    live?: string; // of a page that is served: another text whenever anything else is another
    parts: Part[];
}
