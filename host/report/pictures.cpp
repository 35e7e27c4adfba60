// Interlace: SVG as pixels and as PDF, by librsvg, which is loaded when the first picture is drawn
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include "interlace/core/error.h"
#include "interlace/core/loaded_symbol.h"
#include "interlace/report/figures.h"

namespace interlace {
namespace {

/// Of librsvg, which as GObject cannot be unloaded, or of a library that it is linked to.
LoadedSymbol symbol(const char* name) {
    return loaded_symbol("librsvg-2.so.2", name, "draw a picture", "Debian's librsvg2-2");
}

struct RsvgHandle;
struct RsvgRectangle {
    double x, y, width, height;
};
struct cairo_surface_t;
struct cairo_t;
constexpr int CAIRO_FORMAT_RGB24 = 1;
constexpr int CAIRO_PDF_METADATA_CREATE_DATE = 5;
constexpr int CAIRO_PDF_VERSION_1_4 = 0;
constexpr int CAIRO_STATUS_SUCCESS = 0;
using cairo_write_func_t = int(void* closure, const unsigned char* data, unsigned int length);

/// The functions of librsvg 2.52, cairo 1.16 and GObject that drawing needs, as their headers declare them.
/// These libraries and the forty that they load are neither needed to build nor linked: they would take a
/// third of the time in which any command starts.
struct Drawing {
    void (*g_object_unref)(void*) = symbol("g_object_unref");
    RsvgHandle* (*rsvg_handle_new_from_data)(const unsigned char* data, std::size_t length,
                                             void** error) = symbol("rsvg_handle_new_from_data");
    int (*rsvg_handle_get_intrinsic_size_in_pixels)(RsvgHandle*, double* width, double* height) =
        symbol("rsvg_handle_get_intrinsic_size_in_pixels");
    int (*rsvg_handle_render_document)(RsvgHandle*, cairo_t*, const RsvgRectangle* viewport,
                                       void** error) = symbol("rsvg_handle_render_document");
    cairo_t* (*cairo_create)(cairo_surface_t*) = symbol("cairo_create");
    void (*cairo_destroy)(cairo_t*) = symbol("cairo_destroy");
    cairo_surface_t* (*cairo_image_surface_create)(int format, int width,
                                                   int height) = symbol("cairo_image_surface_create");
    void (*cairo_paint)(cairo_t*) = symbol("cairo_paint");
    cairo_surface_t* (*cairo_pdf_surface_create_for_stream)(cairo_write_func_t*, void* closure, double width,
                                                            double height) =
        symbol("cairo_pdf_surface_create_for_stream");
    void (*cairo_pdf_surface_restrict_to_version)(cairo_surface_t*, int version) =
        symbol("cairo_pdf_surface_restrict_to_version");
    void (*cairo_pdf_surface_set_metadata)(cairo_surface_t*, int metadata,
                                           const char* text) = symbol("cairo_pdf_surface_set_metadata");
    void (*cairo_set_source_rgb)(cairo_t*, double red, double green,
                                 double blue) = symbol("cairo_set_source_rgb");
    void (*cairo_surface_destroy)(cairo_surface_t*) = symbol("cairo_surface_destroy");
    void (*cairo_surface_finish)(cairo_surface_t*) = symbol("cairo_surface_finish");
    int (*cairo_surface_status)(cairo_surface_t*) = symbol("cairo_surface_status");
    int (*cairo_surface_write_to_png_stream)(cairo_surface_t*, cairo_write_func_t*,
                                             void* closure) = symbol("cairo_surface_write_to_png_stream");
};

const Drawing& drawing() {
    static const Drawing loaded;
    return loaded;
}

using Picture = std::unique_ptr<RsvgHandle, void (*)(void*)>;
using Surface = std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)>;
using Painter = std::unique_ptr<cairo_t, void (*)(cairo_t*)>;

int append(void* text, const unsigned char* data, unsigned int size) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), size);
    return CAIRO_STATUS_SUCCESS;
}

/// A picture and its size, in pixels as in CSS.
struct Sized {
    Picture picture;
    double width = 0.0, height = 0.0;
};

Sized read(const std::string& svg) {
    const Drawing& lib = drawing();
    const auto* data = reinterpret_cast<const unsigned char*>(svg.data());
    Sized read{Picture(lib.rsvg_handle_new_from_data(data, svg.size(), nullptr), lib.g_object_unref)};
    if (!read.picture ||
        lib.rsvg_handle_get_intrinsic_size_in_pixels(read.picture.get(), &read.width, &read.height) == 0)
        throw InputError("cannot draw a picture", "SVG with a width and a height");
    return read;
}

[[noreturn]] void refuse() {
    throw InputError("cannot draw a picture", "SVG that librsvg can draw at this scale");
}

}  // namespace

std::string png_of(const std::string& svg, double scale) {
    const Drawing& lib = drawing();
    const Sized sized = read(svg);
    const double width = std::ceil(sized.width * scale);
    const double height = std::ceil(sized.height * scale);
    const Surface surface(
        lib.cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height)),
        lib.cairo_surface_destroy);
    const Painter painter(lib.cairo_create(surface.get()), lib.cairo_destroy);
    lib.cairo_set_source_rgb(painter.get(), 1.0, 1.0, 1.0);
    lib.cairo_paint(painter.get());
    const RsvgRectangle all{0.0, 0.0, width, height};
    std::string png;
    if (lib.rsvg_handle_render_document(sized.picture.get(), painter.get(), &all, nullptr) == 0 ||
        lib.cairo_surface_write_to_png_stream(surface.get(), append, &png) != CAIRO_STATUS_SUCCESS)
        refuse();
    return png;
}

std::string pdf_of(const std::string& svg) {
    const Drawing& lib = drawing();
    constexpr double point = 72.0 / 96.0;  // of a pixel
    const Sized sized = read(svg);
    const RsvgRectangle all{0.0, 0.0, sized.width * point, sized.height * point};
    std::string pdf;
    const Surface surface(lib.cairo_pdf_surface_create_for_stream(append, &pdf, all.width, all.height),
                          lib.cairo_surface_destroy);
    // Of the same results the same file, whenever it is made; everything reads PDF 1.4.
    lib.cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
    lib.cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
    const Painter painter(lib.cairo_create(surface.get()), lib.cairo_destroy);
    if (lib.rsvg_handle_render_document(sized.picture.get(), painter.get(), &all, nullptr) == 0) refuse();
    lib.cairo_surface_finish(surface.get());
    if (lib.cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) refuse();
    return pdf;
}

}  // namespace interlace
