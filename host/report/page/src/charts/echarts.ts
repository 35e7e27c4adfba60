// Interlace: the parts of the plotting library that charts use
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
import { BarChart, CustomChart, GraphChart, HeatmapChart, LineChart, ScatterChart } from "echarts/charts";
import {
    AriaComponent,
    DataZoomComponent,
    GridComponent,
    LegendComponent,
    MarkLineComponent,
    ToolboxComponent,
    TooltipComponent,
    VisualMapComponent,
} from "echarts/components";
import * as echarts from "echarts/core";
import { LabelLayout } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";

echarts.use([
    AriaComponent, BarChart, CustomChart, DataZoomComponent, GraphChart, GridComponent, HeatmapChart, LabelLayout, LegendComponent, LineChart,
    MarkLineComponent, ScatterChart, SVGRenderer, ToolboxComponent, TooltipComponent, VisualMapComponent,
]);

export { echarts };
