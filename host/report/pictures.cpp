// Interlace: SVG as pixels and as PDF, by librsvg
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <cairo-pdf.h>
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

/// A picture and its size, in pixels as in CSS.
struct Sized {
    Picture picture;
    double width = 0.0, height = 0.0;
};

Sized read(const std::string& svg) {
    const auto* data = reinterpret_cast<const guint8*>(svg.data());
    Sized read{Picture(rsvg_handle_new_from_data(data, svg.size(), nullptr), &g_object_unref)};
    if (!read.picture ||
        rsvg_handle_get_intrinsic_size_in_pixels(read.picture.get(), &read.width, &read.height) == FALSE)
        throw InputError("cannot draw a picture", "SVG with a width and a height");
    return read;
}

[[noreturn]] void refuse() {
    throw InputError("cannot draw a picture", "SVG that librsvg can draw at this scale");
}

}  // namespace

std::string png_of(const std::string& svg, double scale) {
    const Sized sized = read(svg);
    const double width = std::ceil(sized.width * scale);
    const double height = std::ceil(sized.height * scale);
    const Surface surface(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height)),
        &cairo_surface_destroy);
    const Painter painter(cairo_create(surface.get()), &cairo_destroy);
    cairo_set_source_rgb(painter.get(), 1.0, 1.0, 1.0);
    cairo_paint(painter.get());
    const RsvgRectangle all{0.0, 0.0, width, height};
    std::string png;
    if (rsvg_handle_render_document(sized.picture.get(), painter.get(), &all, nullptr) == FALSE ||
        cairo_surface_write_to_png_stream(surface.get(), append, &png) != CAIRO_STATUS_SUCCESS)
        refuse();
    return png;
}

std::string pdf_of(const std::string& svg) {
    constexpr double point = 72.0 / 96.0;  // of a pixel
    const Sized sized = read(svg);
    const RsvgRectangle all{0.0, 0.0, sized.width * point, sized.height * point};
    std::string pdf;
    const Surface surface(cairo_pdf_surface_create_for_stream(append, &pdf, all.width, all.height),
                          &cairo_surface_destroy);
    // Of the same results the same file, whenever it is made.
    cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);  // which everything reads
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
    const Painter painter(cairo_create(surface.get()), &cairo_destroy);
    if (rsvg_handle_render_document(sized.picture.get(), painter.get(), &all, nullptr) == FALSE) refuse();
    cairo_surface_finish(surface.get());
    if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) refuse();
    return pdf;
}

}  // namespace interlace
