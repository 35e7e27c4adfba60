// Interlace: a served page, which looks for new results by itself
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { ReportDocument } from "../document";
import { isBusy } from "./reader";

const pause = 1000; // milliseconds

/**
 * Asks every second whether the document is another one, and hands it to `show` when the reader is not in the middle of
 * choosing; `tell` gets a sentence where the server does not answer, and "" once it does.
 */
export function follow(first: ReportDocument, show: (report: ReportDocument) => void, tell: (sentence: string) => void) {
    let live = first.live;
    let waiting: ReportDocument | null = null;
    const ask = () => {
        const request = new XMLHttpRequest();
        request.open("GET", "document.json");
        request.setRequestHeader("If-None-Match", '"' + live + '"');
        request.onload = () => {
            tell("");
            if (request.status === 200) {
                waiting = JSON.parse(request.responseText) as ReportDocument;
                live = waiting.live;
            }
            later();
        };
        request.onerror = () => {
            tell("interlace report --serve has ended, or does not answer: what is shown is as it was last.");
            later();
        };
        request.send();
    };
    const later = () => {
        if (waiting !== null && !isBusy()) {
            show(waiting);
            waiting = null;
        }
        window.setTimeout(ask, pause);
    };
    window.setTimeout(ask, pause);
}
