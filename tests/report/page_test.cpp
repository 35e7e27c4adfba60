// Interlace: tests of the report's page and figures, as far as no browser is needed
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/report/page.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "interlace/core/error.h"
#include "interlace/report/figures.h"
#include "report/sample_document.h"
#include "support/error_of.h"

namespace interlace {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string between(const std::string& text, const std::string& from, const std::string& to) {
    const std::size_t begin = text.find(from) + from.size();
    return text.substr(begin, text.find(to, begin) - begin);
}

Json with_hostile_texts() {
    Json size = sample_size();
    size["name"] = "</script><script>alert(1)</script> & <b>\"";
    size["queues"] = {"<injection>", "a & b"};
    for (std::size_t i = 0; i < 2; ++i) size["alone"][i]["queue"] = size["queues"][i];
    return report_of(Json::array({size}));
}

TEST(Page, HoldsItsDocumentWhateverItsTexts) {
    const Json document = with_hostile_texts();
    const std::string text = between(report_page(document), "id=\"document\">", "</script>");
    EXPECT_EQ(Json::parse(text), document);
}

TEST(Page, IsOneFile) {
    const std::string page = report_page(report_of(Json::array()));
    for (const char* reference : {"<script src", "<link rel=\"stylesheet", "@import", "@script@", "@style@"})
        EXPECT_EQ(page.find(reference), std::string::npos) << reference;
    EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
}

class Figures : public testing::Test {
  protected:
    /// Nothing, and skip_ says why, in a build that has no figures.
    static std::vector<Figure> drawn(const Json& document, const FigureOptions& options = {}) {
        try {
            return report_figures(document, options);
        } catch (const InputError& error) {
            if (std::string(error.what()).find("a build with") == std::string::npos) throw;
            skip_ = error.what();
            return {};
        }
    }
    /// What a user is told of `options` for a sweep of loads and patterns.
    static std::string refused(const FigureOptions& options) {
        return error_of([&] { drawn(report_of(Json::array({sample_load_sweep()})), options); });
    }
    static std::set<std::string> names(const std::vector<Figure>& figures) {
        std::set<std::string> all;
        for (const Figure& figure : figures) all.insert(figure.name);
        return all;
    }
    inline static std::string skip_;
};

TEST_F(Figures, AreOneForEachChart) {
    const auto figures = drawn(report_of({sample_sweep({1, 4}), sample_load_sweep(), sample_size(),
                                          sample_run({4, 4}, 2), sample_published()}));
    if (!skip_.empty()) GTEST_SKIP() << skip_;
    const std::set<std::string> expected = {
        "depth-of-channels-sweep",   "latency-under-load-sweep", "long-links-slow-down",
        "long-links-pareto",         "torus-4x4-occupancy",      "torus-4x4-links",
        "torus-4x4-links-over-time", "torus-4x4-drawing",        "torus-4x4-wavefront",
        "torus-4x4-in-flight",       "torus-4x4-utilisation",    "published-values-table1"};
    EXPECT_EQ(names(figures), expected);
    EXPECT_EQ(figures.size(), expected.size());
}

TEST_F(Figures, OfPartsWhoseNamesBecomeAlikeAreKeptApart) {
    Json parts = {sample_load_sweep(), sample_load_sweep()};
    parts[0]["name"] = "a/b";
    parts[1]["name"] = "A b";
    const auto figures = drawn(report_of(parts));
    if (!skip_.empty()) GTEST_SKIP() << skip_;
    EXPECT_EQ(names(figures), (std::set<std::string>{"a-b-sweep", "A-b-sweep-2"}));
}

/// A sweep of x over three points with a column a measurement, all of the same values.
Json three_points(const std::string& study, const std::vector<std::string>& measured,
                  const std::vector<double>& values) {
    Json part = sample_load_sweep();
    part["study"] = study;
    part["swept"] = {"x"};
    std::vector<std::string> columns = {"x"};
    columns.insert(columns.end(), measured.begin(), measured.end());
    part["columns"] = sample_columns(columns);
    part["rows"] = Json::array();
    for (std::size_t i = 0; i < values.size(); ++i) {
        Json row = Json::array({1.0 + static_cast<double>(i)});
        row.insert(row.end(), measured.size(), Json(values[i]));
        part["rows"].push_back(row);
    }
    return report_of(Json::array({part}));
}

// The columns stand as SQL sorts them; what is drawn first is what the study measures, with its unit.
TEST_F(Figures, OfASweepShowWhatItsStudyMeasures) {
    struct Case {
        const char* study;
        std::vector<std::string> columns;
        const char* label;
    };
    for (const Case& one : std::vector<Case>{
             {"traffic", {"accepted_load", "cycles", "latency_mean"}, ">Mean latency (cycles)<"},
             {"traffic", {"accepted_load", "cycles", "saturation_load"}, ">saturation_load<"},
             {"broadcast", {"gap", "lower_bound", "steps"}, ">Steps<"},
             {"broadcast", {"cycles", "gap", "steps"}, ">Time (cycles)<"},
             {"allgather", {"longest_queue", "packets", "seconds"}, ">seconds<"},
             {"alltoall", {"load", "seconds", "throughput_mbps"}, ">Throughput (Mbit/s)<"},
             {"multicast", {"latency_us", "packets", "seconds"}, ">seconds<"}}) {
        const auto figures = drawn(three_points(one.study, one.columns, {1, 2, 3}));
        if (!skip_.empty()) GTEST_SKIP() << skip_;
        ASSERT_EQ(figures.size(), 1U);
        EXPECT_THAT(figures.front().svg, HasSubstr(one.label)) << one.study;
    }
}

// A linear axis from 3 to 299 has marks at multiples of 50 or so, a logarithmic one at powers of two or ten.
TEST_F(Figures, HaveALogarithmicAxisWhereValuesSpanTwoDecades) {
    const auto has = [&](const char* mark, const std::vector<double>& values) {
        const auto figures = drawn(three_points("broadcast", {"steps"}, values));
        return !figures.empty() && figures.front().svg.find(mark) != std::string::npos;
    };
    const bool linear = has(">10</text>", {3, 30, 299});
    if (!skip_.empty()) GTEST_SKIP() << skip_;
    EXPECT_FALSE(linear);
    EXPECT_TRUE(has(">10</text>", {3, 30, 300}));
    EXPECT_TRUE(has(">64</text>", {2, 32, 256}));
    EXPECT_FALSE(has(">10</text>", {0, 30, 300}));  // no place on such an axis
}

TEST_F(Figures, ShowTheColumnsPointsAndLabelsThatAreAskedFor) {
    const Json document = report_of(Json::array({sample_load_sweep()}));
    FigureOptions options;
    options.x = "traffic.pattern";
    options.y = "accepted_load";
    options.filters = {"traffic.load=0.50", "cycles=10000"};
    options.x_label = "who sends to whom";
    const auto figures = drawn(document, options);
    if (!skip_.empty()) GTEST_SKIP() << skip_;
    ASSERT_EQ(figures.size(), 1U);
    const std::string& svg = figures.front().svg;
    EXPECT_THAT(svg, HasSubstr(">who sends to whom<"));
    EXPECT_THAT(svg, HasSubstr(">Accepted load (flits/node/cycle)<"));
    EXPECT_THAT(svg, HasSubstr(">tornado<"));
    // One load is left, which is no series any more: a legend of what is hollow, of all but uniform (0.62).
    EXPECT_EQ(svg.find("Offered load"), std::string::npos);
    const auto hollow = [](const std::string& text) {
        std::size_t count = 0;
        for (std::size_t at = 0; (at = text.find("fill=\"#fff\"", at)) != std::string::npos; ++at) ++count;
        return count;
    };
    EXPECT_EQ(hollow(svg), 2 + 1);  // transpose and tornado, and their sign in the legend
    options.filters = {"traffic.load=0.3"};
    EXPECT_EQ(hollow(drawn(document, options).front().svg), 0U);  // all are carried
}

/// Occurrences of `part` in `text`.
std::size_t count_of(const std::string& part, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
    return count;
}

// Three lines for each of the three points that are several runs.
TEST_F(Figures, HaveErrorBarsWhereThereAreIntervals) {
    const auto bars = [](const Json& part) {
        const auto figures = drawn(report_of(Json::array({part})));
        return figures.empty() ? 0 : count_of("stroke-width=\"1.5\"", figures.front().svg);
    };
    Json part = sample_seeds_sweep();
    const std::size_t with = bars(part);
    if (!skip_.empty()) GTEST_SKIP() << skip_;
    EXPECT_EQ(with, 3U * 3);
    part["columns"][2]["name"] = "cycles_of_runs.mean";
    EXPECT_EQ(bars(part), 0U);
}

// Of 25 pairs of the other classes' depths, those of one infinite class are drawn: 5 lines.
TEST_F(Figures, OfAllDepthsAreAsManyLinesAsALegendHasRoomFor) {
    FigureOptions options;
    const Json document = report_of(Json::array({sample_depths_sweep()}));
    const auto lines = [&] {
        const auto figures = drawn(document, options);
        return figures.empty() ? 0 : count_of("_depth ", figures.front().svg);
    };
    const std::size_t first = lines();
    if (!skip_.empty()) GTEST_SKIP() << skip_;
    EXPECT_EQ(first, 5U);
    EXPECT_THAT(drawn(document).front().svg, HasSubstr(">node.reception_depth infinite<"));
    options.x = "node.injection_depth";
    EXPECT_EQ(lines(), 5U);
    options.filters = {"node.reception_depth=8"};
    options.x = "node.vc_depth";
    EXPECT_EQ(lines(), 5U);
}

TEST_F(Figures, AreAsLargeAsIsAskedFor) {
    FigureOptions options;
    options.width = 500;
    options.height = 300;
    const auto figures = drawn(report_of({sample_load_sweep(), sample_size(), sample_run({8, 8, 4}, 2),
                                          sample_run_without_lattice(23), sample_published()}),
                               options);
    if (!skip_.empty()) GTEST_SKIP() << skip_;
    for (const Figure& figure : figures) {
        EXPECT_THAT(figure.svg, StartsWith("<svg width=\"500\" height=\"300\"")) << figure.name;
        std::string pdf;
        try {
            pdf = pdf_of(figure.svg);
        } catch (const InputError& error) {
            GTEST_SKIP() << error.what();
        }
        EXPECT_THAT(pdf, StartsWith("%PDF-"));
        EXPECT_THAT(pdf, HasSubstr("/MediaBox [ 0 0 375 225 ]"));  // 72 points to 96 pixels
        EXPECT_EQ(pdf, pdf_of(figure.svg));
    }
}

TEST_F(Figures, OfWhatASweepHasNotAreRefused) {
    FigureOptions options;
    if (drawn(report_of(Json::array()), options); !skip_.empty()) GTEST_SKIP() << skip_;
    const std::string all = "traffic.load, traffic.pattern, latency_mean, accepted_load, cycles";
    options.x = "cycles";  // measured
    EXPECT_EQ(refused(options),
              "--x: there is no column 'cycles' of sweep 'latency under load'; expected traffic.load, "
              "traffic.pattern");
    options = {};
    options.y = "traffic.pattern";  // swept
    EXPECT_EQ(
        refused(options),
        "--y: there is no column 'traffic.pattern' of sweep 'latency under load'; expected latency_mean, "
        "accepted_load, cycles");
    options = {};
    options.filters = {"load=0.5"};
    EXPECT_EQ(refused(options),
              "--filter: there is no column 'load' of sweep 'latency under load'; expected " + all);
    options.filters = {"traffic.pattern=uniform", "traffic.pattern=tornado"};
    EXPECT_EQ(refused(options),
              "--filter 'traffic.pattern=tornado': there is no such point of sweep 'latency under load'; "
              "expected one of "
              "uniform");
    options.filters = {"uniform"};
    EXPECT_EQ(refused(options), "cannot use --filter 'uniform'; expected COLUMN=VALUE");
    options.filters.clear();
    options.y = "cycles";
    EXPECT_EQ(error_of([&] { drawn(report_of(Json::array({sample_published()})), options); }),
              "cannot use columns and labels without a sweep; expected results of interlace sweep or size");
}

TEST_F(Figures, AreXmlWhateverTheTexts) {
    const auto figures = drawn(with_hostile_texts());
    if (!skip_.empty()) GTEST_SKIP() << skip_;
    EXPECT_EQ(figures.size(), 2);
    for (const Figure& figure : figures) {
        EXPECT_EQ(figure.name.find_first_of("/<>&\" "), std::string::npos) << figure.name;
        EXPECT_NE(figure.svg.find("&lt;injection&gt;"), std::string::npos) << figure.name;
        try {
            EXPECT_THAT(png_of(figure.svg, 0.5), StartsWith("\x89PNG"));
        } catch (const InputError& error) {
            GTEST_SKIP() << error.what();
        }
    }
}

TEST_F(Figures, HaveACellForEachNodeOfALargeNetwork) {
    const auto figures = drawn(report_of(Json::array({sample_run({64, 64}, 1)})));
    if (!skip_.empty()) GTEST_SKIP() << skip_;
    const auto map = std::find_if(figures.begin(), figures.end(), [](const Figure& figure) {
        return figure.name == "torus-64x64-wavefront";
    });
    ASSERT_NE(map, figures.end());
    std::size_t paths = 0;
    for (std::size_t at = 0; (at = map->svg.find("<path", at)) != std::string::npos; ++at) ++paths;
    EXPECT_GE(paths, 64 * 64);
}

TEST(Png, OfWhatIsNoSvgIsTheUsersError) {
    EXPECT_THROW(png_of("no picture", 1.0), InputError);
    EXPECT_THROW(pdf_of("no picture"), InputError);
}

}  // namespace
}  // namespace interlace
