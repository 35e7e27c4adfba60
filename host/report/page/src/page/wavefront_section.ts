// Interlace: a broadcast's wavefront, with a slider over time
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { heatMapData, mapLayout } from "../charts/heat_map";
import { halfTime, lastArrival, packetsAt, wavefrontChart, wavefrontText } from "../charts/wavefront";
import { Wavefront } from "../document";
import { ChartView } from "./chart_view";
import { controls } from "./controls";
import { element } from "./element";
import { Settings } from "./settings";

const framePause = 90; // milliseconds
const frames = 100; // of a whole film, at most

export function wavefrontSection(front: Wavefront, id: string, settings: Settings): HTMLElement[] {
    const last = lastArrival(front);
    const first = String(halfTime(front));
    let time = Math.max(0, Math.min(last, Math.round(Number(settings.get("time", first))) || 0));
    let film = 0;
    const view = new ChartView(id + "-wavefront", (theme, room) => wavefrontChart(front, time, theme, room));
    const slider = element("input", { type: "range", min: "0", max: String(last), step: "1", id: id + "-time" });
    const text = element("output", { for: slider.id, "aria-live": "polite", class: "wavefront" });
    const button = element("button", { type: "button" }, "Play");

    const show = (to: number) => {
        time = Math.max(0, Math.min(last, to));
        settings.set("time", String(time), first);
        const counts = packetsAt(front, time);
        const sentence = wavefrontText(front, time, counts);
        slider.value = String(time);
        slider.setAttribute("aria-valuetext", front.unit + " " + time);
        text.textContent = sentence;
        view.replace("nodes", (room) => heatMapData(mapLayout(front.sizes, front.nodes, room), counts), sentence);
    };
    const stop = () => {
        window.clearInterval(film);
        film = 0;
        button.textContent = "Play";
        button.className = "";
        text.setAttribute("aria-live", "polite");
    };
    const play = () => {
        if (time >= last) show(0);
        button.textContent = "Pause";
        button.className = "plays";
        // A reader of screens cannot follow a film.
        text.setAttribute("aria-live", "off");
        film = window.setInterval(() => {
            if (!view.figure.isConnected) return stop();
            show(time + Math.ceil(last / frames));
            if (time >= last) stop();
        }, framePause);
    };
    button.onclick = () => (film === 0 ? play() : stop());
    slider.oninput = () => {
        if (film !== 0) stop();
        show(Number(slider.value));
    };
    show(time);
    const label = element("label", { class: "slider" }, front.unit, " ", slider);
    return [element("h3", {}, "Wavefront"), controls(button, label, text), view.figure];
}
