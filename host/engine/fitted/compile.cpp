// Interlace: il_node as a shared library
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "compile.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <map>
#include <mutex>

#include "interlace/core/error.h"
#include "interlace/core/shipped_file.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"
#include "interlace/tools/cache.h"
#include "interlace/tools/process.h"

namespace interlace {

const std::vector<ShippedFile>& library_sources();  // library/*, and headers that it includes

namespace {

using Command = std::vector<std::string>;

void write_text(const std::string& file, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    write_whole_file(file, [&](std::ostream& out) { out << text; });
}

/// Of a file of library_sources(): the path by which others include it.
std::string path_of(const ShippedFile& file) {
    if (file.folder == "detail") return "interlace/engine/verilated/detail/" + file.name + ".h";
    if (file.folder == "core") return "interlace/core/" + file.name + ".h";
    return file.name + (file.text.find("#pragma once") == std::string::npos ? ".cpp" : ".h");
}

/// The first line of a log that tells of an error, and otherwise its last.
std::string error_of(const std::string& log) {
    std::ifstream in(log);
    std::string line, last = "no message";
    while (std::getline(in, line)) {
        if (line.find("rror:") != std::string::npos || line.find("%Error") != std::string::npos) return line;
        if (!line.empty()) last = line;
    }
    return last;
}

/// Makes the library in a folder of its own.
class Build {
  public:
    /// Throws InputError where Verilator or a compiler is missing.
    Build() : compiler_(compiler()) {
        const std::vector<std::string> words = split(output({"verilator", "--version"}), ' ');
        if (words.size() > 1) version_ = words[1];
        root_ = output({"verilator", "--getenv", "VERILATOR_ROOT"});
        Command command = compiler_;
        command.emplace_back("--version");
        output(command);
    }

    /// The path of the library.
    std::string run(const RtlParameters& parameters) {
        for (const RtlFile& file : rtl_files()) write_text(folder_ / file.name, file.text);
        for (const ShippedFile& file : library_sources()) write_text(folder_ / path_of(file), file.text);
        in_folder("verilator", verilator(parameters));
        write_parts();
        std::vector<std::future<void>> parts;
        for (const auto& [name, level] : {std::pair{"fast", "-O2"}, {"slow", "-O0"}, {"runtime", "-O2"}})
            parts.push_back(
                std::async(std::launch::async, [this, name = std::string(name), level = std::string(level)] {
                    in_folder(name, compile({level, "-c", name + ".cpp", "-o", name + ".o"}));
                }));
        for (std::future<void>& part : parts) part.get();
        in_folder("link", compile({"-shared", "fast.o", "slow.o", "runtime.o", "-o", "node.so"}));
        return folder_ / "node.so";
    }

  private:
    static Command compiler() {
        const char* asked = std::getenv("CXX");
        if (asked == nullptr || *asked == '\0') return {"c++"};
        Command words;
        for (const std::string& word : split(asked, ' '))
            if (!word.empty()) words.push_back(word);
        return words;
    }

    /// The line that a command prints.
    std::string output(const Command& command) {
        const std::string log = folder_ / "output";
        if (run_process(command, log) != 0)
            throw FellShort(fmt::format("{} failed: {}", fmt::join(command, " "), error_of(log)));
        const std::string text = read_whole_file(log, "what " + command.front() + " printed");
        return text.substr(0, text.find_last_not_of(" \n") + 1);
    }

    void in_folder(const std::string& name, Command command) {
        command.insert(command.begin(), {"env", "-C", folder_ / ""});
        const std::string log = folder_ / (name + ".log");
        if (const int code = run_process(command, log); code != 0)
            throw FellShort(fmt::format("cannot build fitted nodes: {} ended with {}: {}", command[3], code,
                                        error_of(log)));
    }

    /// As cmake/InterlaceModel.cmake and InterlaceVerilate.cmake say, which have the reasons.
    Command verilator(const RtlParameters& parameters) const {
        Command command = {"verilator",   "--cc",   "--prefix",   "Vil_node",  "--top-module",
                           "il_node",     "--Mdir", "model",      "--assert",  "--savable",
                           "--x-initial", "unique", "-fno-split", "--flatten", "-Wno-fatal"};
        if (version_ > "5.006") command.emplace_back("-fno-reorder");
        if (version_ >= "5.040") command.emplace_back("-fno-dfg");
        for (const auto& [name, value] : parameters) command.push_back(fmt::format("-G{}={}", name, value));
        for (const RtlFile& file : rtl_files())
            if (!file.header) command.push_back(file.name);
        return command;
    }

    /// What Verilator wrote in two files: what runs in cycles, and what makes and saves nodes.
    void write_parts() const {
        std::vector<std::string> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / "model"))
            if (entry.path().extension() == ".cpp") files.push_back(entry.path().filename());
        std::sort(files.begin(), files.end());
        std::map<bool, std::string> text;  // [is slow]
        for (const std::string& file : files) {
            const bool slow = std::any_of(slow_names.begin(), slow_names.end(), [&](const char* part) {
                return file.find(part) != std::string::npos;
            });
            text[slow] += fmt::format("#include \"{}\"\n", file);
        }
        write_text(folder_ / "fast.cpp", text[false] + "#include \"node_library.cpp\"\n");
        write_text(folder_ / "slow.cpp", text[true]);
        write_text(folder_ / "runtime.cpp",
                   "#include \"verilated.cpp\"\n#include \"verilated_save.cpp\"\n#include "
                   "\"verilated_threads.cpp\"\n");
    }
    static constexpr std::array slow_names = {"__Slow", "__Syms", "__ConstPool"};

    Command compile(const Command& arguments) const {
        Command command = compiler_;
        command.insert(command.end(),
                       {"-std=c++20", "-fPIC", "-fvisibility=hidden", "-pthread", "-w", "-I.", "-Imodel",
                        "-I" + root_ + "/include", "-I" + root_ + "/include/vltstd", "-DVM_COVERAGE=0",
                        "-DVM_SC=0", "-DVM_TRACE=0", "-DVM_TRACE_FST=0", "-DVM_TRACE_VCD=0"});
        command.insert(command.end(), arguments.begin(), arguments.end());
        return command;
    }

    TemporaryFolder folder_;
    Command compiler_;
    std::string version_;  ///< of Verilator, as in 5.006
    std::string root_;     ///< where its headers and runtime are
};

const fitted::Library& load(const std::string& path) {
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const symbol = library == nullptr ? nullptr : ::dlsym(library, fitted::library_symbol);
    if (symbol == nullptr)
        throw FellShort(fmt::format(
            "cannot load fitted nodes from {} (remove it, and they are built again): {}", path, ::dlerror()));
    return *reinterpret_cast<decltype(&interlace_fitted_nodes)>(symbol)();
}

/// Builds the library and loads it; `kept`: where it goes then, if anywhere.
const fitted::Library& make(const RtlParameters& parameters, const std::string& kept,
                            const RunListener& listener) {
    using Clock = std::chrono::steady_clock;
    if (listener.warn) listener.warn("RTL nodes are built for this run, which takes a minute or so");
    const Clock::time_point start = Clock::now();
    Build build;
    const std::string built = build.run(parameters);
    if (!kept.empty())
        write_whole_file(kept, [&](std::ostream& out) {
            out << open_to_read(built, "the library that was built").rdbuf();
        });
    if (listener.warn)
        listener.warn(fmt::format("RTL nodes were built in {:.0f} s{}",
                                  std::chrono::duration<double>(Clock::now() - start).count(),
                                  kept.empty() ? "" : "; later runs with such nodes take them from " + kept));
    return load(kept.empty() ? built : kept);
}

std::string key_of(const RtlParameters& parameters) {
    std::string text;
    for (const auto& [name, value] : parameters) text += fmt::format("{}={}\n", name, value);
    for (const RtlFile& file : rtl_files()) text += file.text;
    for (const ShippedFile& file : library_sources()) text += file.text;
    return fingerprint(text);
}

const fitted::Library& from_cache(const std::string& folder, const std::string& key,
                                  const RtlParameters& parameters, const RunListener& listener) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (folder.empty() || failed) return make(parameters, "", listener);
    const std::string file = folder + "/" + key + ".so";
    if (std::filesystem::exists(file)) return load(file);
    const FileLock lock(folder +
                        "/lock");  // of several processes one builds, and the others find what it built
    return std::filesystem::exists(file) ? load(file) : make(parameters, file, listener);
}

}  // namespace

const fitted::Library& fitted_library(const RtlParameters& parameters, const RunListener& listener) {
    static std::mutex mutex;
    static std::map<std::string, const fitted::Library*> libraries;
    const std::string key = key_of(parameters);
    const std::lock_guard lock(mutex);
    const fitted::Library*& library = libraries[key];
    if (library == nullptr) library = &from_cache(cache_folder("fitted"), key, parameters, listener);
    return *library;
}

}  // namespace interlace
