// Interlace: SVG as pixels, by librsvg
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <cairo.h>
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>

#include "interlace/core/error.h"
#include "interlace/report/figures.h"

namespace interlace {
namespace {

using Picture = std::unique_ptr<RsvgHandle, decltype(&g_object_unref)>;
using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Painter = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

cairo_status_t append(void* text, const unsigned char* data, unsigned int size) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), size);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

std::string png_of(const std::string& svg, double scale) {
    const auto* data = reinterpret_cast<const guint8*>(svg.data());
    const Picture picture(rsvg_handle_new_from_data(data, svg.size(), nullptr), &g_object_unref);
    double width = 0.0;
    double height = 0.0;
    if (!picture || rsvg_handle_get_intrinsic_size_in_pixels(picture.get(), &width, &height) == FALSE)
        throw InputError("a picture", "SVG with a width and a height");
    width = std::ceil(width * scale);
    height = std::ceil(height * scale);
    const Surface surface(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height)),
        &cairo_surface_destroy);
    const Painter painter(cairo_create(surface.get()), &cairo_destroy);
    cairo_set_source_rgb(painter.get(), 1.0, 1.0, 1.0);
    cairo_paint(painter.get());
    const RsvgRectangle all{0.0, 0.0, width, height};
    std::string png;
    if (rsvg_handle_render_document(picture.get(), painter.get(), &all, nullptr) == FALSE ||
        cairo_surface_write_to_png_stream(surface.get(), append, &png) != CAIRO_STATUS_SUCCESS)
        throw InputError("a picture", "SVG that librsvg can draw at this scale");
    return png;
}

}  // namespace interlace
