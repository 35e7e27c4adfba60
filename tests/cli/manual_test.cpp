// Interlace: the manual page and bash's completion say what --help says
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <regex>
#include <sstream>

namespace interlace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::UnorderedElementsAreArray;

using Words = std::vector<std::string>;

/// What a line of sh prints, errors too.
std::string output_of(const std::string& line) {
    FILE* pipe = popen(("{ " + line + "; } 2>&1").c_str(), "r");
    std::string text;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
        text.append(buffer.data(), count);
    pclose(pipe);
    return text;
}

Words lines_of(const std::string& text) {
    std::istringstream in(text);
    Words lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// An entry of --help: "  -o,--output FILE           The C file to write", or the text on a line of its own.
struct Entry {
    std::string name, text;
};

std::vector<Entry> entries_of(const std::string& help) {
    constexpr std::size_t text_column = 30;
    std::vector<Entry> entries;
    for (const std::string& line : lines_of(help)) {
        const std::size_t start = line.find_first_not_of(' ');
        const std::string text = line.size() > text_column ? line.substr(text_column) : "";
        if (start == text_column)
            entries.back().text = text;
        else if (start == 2)
            entries.push_back({line.substr(2, line.find(' ', 2) - 2), text});
    }
    return entries;
}

std::string help_of(const std::string& command) {
    return output_of(INTERLACE_COMMAND " " + command + " --help");
}

Words subcommands() {
    Words names;
    const std::string help = help_of("");
    for (const Entry& entry : entries_of(help.substr(help.find("Subcommands:")))) names.push_back(entry.name);
    return names;
}

/// The page's section on a subcommand, without what only roff needs.
std::string section_of(const std::string& command) {
    std::ifstream file(INTERLACE_MANUAL "/interlace.1");
    std::string page((std::istreambuf_iterator<char>(file)), {});
    page = std::regex_replace(page, std::regex(R"(\\f[BIR]|\\&|\\:)"), "");
    page =
        std::regex_replace(std::regex_replace(page, std::regex(R"(\\-)"), "-"), std::regex(R"(\\\(aq)"), "'");
    const std::size_t start = page.find("\n.SS interlace " + command + " ");
    return start == std::string::npos ? "" : page.substr(start, page.find("\n.S", start + 1) - start);
}

/// What bash offers for the last of `words`; "FILE" if it goes on to offer files.
Words offered(const Words& words) {
    std::string line =
        "compopt() { files=; }; files=FILE; . " INTERLACE_MANUAL "/interlace; COMP_WORDS=(interlace";
    for (const std::string& word : words) line += " \"" + word + "\"";
    line += "); COMP_CWORD=" + std::to_string(words.size()) +
            "; _interlace; printf \"%s\\n\" \"${COMPREPLY[@]}\" $files";
    Words offers;
    for (const std::string& word : lines_of(output_of("bash -c '" + line + "'")))
        if (!word.empty()) offers.push_back(word);
    return offers;
}

TEST(Manual, SaysOfEveryOptionWhatHelpSays) {
    ASSERT_THAT(subcommands(), IsSupersetOf({"topology", "broadcast", "results"}));
    for (const std::string& command : subcommands()) {
        const std::vector<Entry> entries = entries_of(help_of(command));
        EXPECT_GE(entries.size(), command == "help" ? 2U : 3U) << command;
        for (const Entry& entry : entries) {
            EXPECT_THAT(section_of(command), HasSubstr("\n.TP\n" + entry.name)) << command;
            EXPECT_NE(entry.text, "") << command << ' ' << entry.name;
            EXPECT_THAT(section_of(command), HasSubstr("\n" + entry.text)) << command << ' ' << entry.name;
        }
    }
}

TEST(Completion, OffersTheOptionsThatHelpLists) {
    for (const std::string& command : subcommands()) {
        Words options;
        for (const Entry& entry : entries_of(help_of(command)))
            if (entry.name[0] == '-') {
                std::istringstream names(entry.name);
                for (std::string name; std::getline(names, name, ',');) options.push_back(name);
            }
        EXPECT_THAT(offered({command, "-"}), UnorderedElementsAreArray(options)) << command;
    }
}

TEST(Completion, OffersSubcommands) {
    EXPECT_THAT(offered({"sw"}), ElementsAre("sweep"));
    EXPECT_THAT(offered({""}), IsSupersetOf(subcommands()));
}

TEST(Completion, OffersOptionsByTheirBeginning) {
    EXPECT_THAT(offered({"broadcast", "--eng"}), ElementsAre("--engine"));
    EXPECT_THAT(offered({"broadcast", "torus:4x4", "--json", "--pac"}),
                ElementsAre("--packets", "--pace", "--packet-log"));
}

TEST(Completion, OffersWordsThatAValueCanBe) {
    EXPECT_THAT(offered({"broadcast", "--engine", ""}),
                ElementsAre("step", "native", "systemc", "rtl", "event"));
    EXPECT_THAT(offered({"broadcast", "--engine", "=", "sys"}), ElementsAre("systemc"));
    EXPECT_THAT(offered({"traffic", "--engine", "="}), ElementsAre("native", "systemc", "rtl"));
    EXPECT_THAT(offered({"reproduce", "a"}), ElementsAre("allgather", "alltoall"));
    EXPECT_THAT(offered({"reproduce", "--l"}), ElementsAre("--large"));
}

TEST(Completion, OffersNetworksClustersAndValuesToSet) {
    EXPECT_THAT(offered({"topology", ""}),
                ElementsAre("torus:", "mesh:", "ibt:", "hypercube:", "fattree:", "dragonfly:", "hyperx:",
                            "flattened_butterfly:", "slimfly:", "crossbar:", "graph:", "anynet:", "cluster:",
                            "FILE"));
    EXPECT_THAT(offered({"alltoall", "cluster", ":", "fig"}), ElementsAre("figure1", "FILE"));
    EXPECT_THAT(offered({"traffic", "--set", "node.vc"}), ElementsAre("node.vc_depth=", "node.vcs="));
    EXPECT_THAT(offered({"traffic", "--set", "broadcast."}), ElementsAre());
    EXPECT_THAT(offered({"run", "--set", "broadcast.pac"}), ElementsAre("broadcast.packets="));
    EXPECT_THAT(offered({"alltoall", "--set", "event.frame.mt"}), ElementsAre("event.frame.mtu="));
    EXPECT_THAT(offered({"help", "tra"}), ElementsAre("traffic"));
}

TEST(Completion, OffersFilesWhereAFileCanBe) {
    EXPECT_THAT(offered({"broadcast", "--node", "b"}), ElementsAre("bgl", "bgl_ten", "FILE"));
    EXPECT_THAT(offered({"sweep", ""}), ElementsAre("FILE"));
    EXPECT_THAT(offered({"sweep", "-o", ""}), ElementsAre("FILE"));
    EXPECT_THAT(offered({"topology", "graph", ":", ""}), ElementsAre("FILE"));
    EXPECT_THAT(offered({"broadcast", "--packets", ""}), ElementsAre());
}

/// Nothing, or why not.
void expect_no_finding(const std::string& tool, const std::string& arguments) {
    if (output_of("command -v " + tool).empty()) GTEST_SKIP() << "there is no " << tool << " here";
    EXPECT_EQ(output_of(tool + " " + arguments + " " INTERLACE_MANUAL "/interlace.1 >/dev/null"), "");
}

TEST(Manual, ManHasNothingToWarnOf) {
    expect_no_finding("man", "--warnings -E UTF-8 -l -Tutf8 -Z");
}

TEST(Manual, GroffHasNothingToWarnOf) {
    expect_no_finding("groff", "-ww -man -Tutf8 -Z");
}

TEST(Manual, MandocHasNothingToWarnOf) {
    expect_no_finding("mandoc", "-Tlint -Wwarning");
}

}  // namespace
}  // namespace interlace
