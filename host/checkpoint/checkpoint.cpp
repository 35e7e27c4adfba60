// Interlace: how far the runs of an experiment have come, in a file that they go on from
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/checkpoint/checkpoint.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <filesystem>
#include <ostream>
#include <string_view>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"

namespace interlace {
namespace {

/// Lines of text, each with what the next one is about, then the body.
constexpr std::string_view first_line = "interlace checkpoint";

std::string program() {
    return fmt::format("interlace {} ({})", version(), commit());
}

void put(ByteWriter& bytes, const std::vector<Bytes>& values) {
    bytes.put(std::uint64_t{values.size()});
    for (const Bytes& value : values) bytes.put(value);
}

std::vector<Bytes> get(ByteReader& bytes) {
    std::uint64_t count = 0;
    bytes.get(count);
    std::vector<Bytes> values;
    for (std::uint64_t i = 0; i < count; ++i) bytes.append_to(values.emplace_back());
    return values;
}

/// zlib does not make bytes fewer than by this.
constexpr std::uint64_t most_deflated = 1040;

/// Their number, and zlib's stream of them, made fast.
std::string deflated(const Bytes& bytes) {
    uLongf size = compressBound(bytes.size());
    const std::uint64_t count = bytes.size();
    std::string text(sizeof(count) + size, '\0');
    std::memcpy(text.data(), &count, sizeof(count));
    compress2(reinterpret_cast<Bytef*>(text.data() + sizeof(count)), &size,  // NOLINT(*-reinterpret-cast)
              bytes.data(), bytes.size(), Z_BEST_SPEED);
    text.resize(sizeof(count) + size);
    return text;
}

/// Throws BrokenBytes where it is none of those.
Bytes inflated(std::string_view text) {
    std::uint64_t count = 0;
    if (text.size() < sizeof(count)) throw BrokenBytes();
    std::memcpy(&count, text.data(), sizeof(count));
    text.remove_prefix(sizeof(count));
    if (count / most_deflated > text.size()) throw BrokenBytes();  // whoever wrote it: memory for nothing
    Bytes bytes(count);
    uLongf size = count;
    const int result = uncompress(bytes.data(), &size,
                                  reinterpret_cast<const Bytef*>(text.data()),  // NOLINT(*-reinterpret-cast)
                                  text.size());
    if (result != Z_OK || size != count) throw BrokenBytes();
    return bytes;
}

/// The line that begins at `at`, which goes behind it.
std::string line_of(const std::string& text, std::size_t& at) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = std::min(end + 1, text.size());
    return line;
}

/// Where two experiments differ: "its network is torus:8x8, not torus:4x4".
std::string first_difference(const std::string& theirs, const std::string& ours) {
    constexpr int max_depth = 100;  // no experiment's
    const auto in_depth = [](int depth, Json::parse_event_t, const Json&) { return depth < max_depth; };
    const Json there = Json::parse(theirs, in_depth, false), here = Json::parse(ours);
    for (const auto& change : Json::diff(there, here)) {
        std::string path = change["path"].get<std::string>();
        const Json::json_pointer key(path);
        std::replace(path.begin(), path.end(), '/', '.');
        const auto value = [&](const Json& of) { return of.contains(key) ? of[key].dump() : "nothing"; };
        return fmt::format("its {} is {}, not {}", path.substr(path.empty() ? 0 : 1), value(there),
                           value(here));
    }
    return "it is another one";
}

}  // namespace

Checkpoint::Checkpoint(CheckpointOptions options, const Json& experiment, Communicator& ranks)
    : options_(std::move(options)), experiment_(experiment.dump()), ranks_(&ranks) {
    if (!options_.resumed_from.empty()) read(options_.resumed_from);
    std::exception_ptr thrown;
    if (!options_.file.empty() && ranks_->rank() == 0) try {
            require_writable(options_.file);
        } catch (const InputError&) {
            thrown = std::current_exception();
        }
    rethrow_first(*ranks_, 0, thrown);
}

std::string Checkpoint::warm_file() const {
    return fmt::format("{}/{}.{}", options_.warm, fingerprint(experiment_), told_runs_);
}

bool Checkpoint::is_warm_state(const std::string& file) {
    const std::filesystem::path path(file);
    // What a process that was killed has left.
    const std::filesystem::path whole = path.parent_path() / path.stem().stem();
    if (is_partial_of(file, whole.string())) return is_warm_state(whole.string());
    return path.stem().string().size() == fingerprint({}).size() &&
           path.stem().string().find_first_not_of("0123456789abcdef") == std::string::npos &&
           path.extension().string().find_first_not_of(".0123456789") == std::string::npos;
}

/// One that cannot be used is made again.
void Checkpoint::find_warm_state() {
    std::error_code ignored;
    is_warm_ = !options_.warm.empty() && std::filesystem::exists(warm_file(), ignored);
    if (is_warm_) try {
            read(warm_file());
            loaded_->run = told_runs_;
        } catch (const InputError&) {
            is_warm_ = false;
        }
    // Ranks do the same, and files may appear between two looks.
    if (ranks_->reduced(is_warm_ ? 1 : 0, Reduction::least) == 1) return;
    is_warm_ = false;
    if (!options_.warm.empty()) {
        loaded_.reset();
        readings_.clear();
    }
}

void Checkpoint::read(const std::string& file) {
    const auto refuse = [&](const std::string& why, const std::string& expected) {
        throw InputError(fmt::format("cannot resume from '{}': {}", file, why), expected);
    };
    const std::string text = read_whole_file(file, "a checkpoint");
    std::size_t at = 0;
    if (line_of(text, at) != first_line) refuse("it is not a checkpoint", "a file that --checkpoint wrote");
    if (const std::string writer = line_of(text, at); writer != program())
        refuse("it was written by " + writer, "one of " + program());
    const std::string known_as = line_of(text, at);
    if (fingerprint(std::string_view(text).substr(at)) != known_as) throw damaged(file);
    if (const std::string theirs = line_of(text, at); theirs != experiment_)
        refuse("it is of another experiment: " + first_difference(theirs, experiment_),
               "one of this experiment");
    if (options_.warm.empty())
        require_same(*ranks_, "the checkpoint", std::stoull(known_as.substr(0, 16), nullptr, 16));
    try {
        read_body(inflated(std::string_view(text).substr(at)));
    } catch (const BrokenBytes&) {
        throw damaged(file);
    }
}

InputError Checkpoint::damaged(const std::string& file) {
    return {fmt::format("cannot resume from '{}': it is damaged, or a part of one", file),
            "the file as it was written"};
}

void Checkpoint::read_body(const Bytes& body) {
    ByteReader bytes(body);
    if (std::vector<Bytes> results = get(bytes); options_.warm.empty()) results_ = std::move(results);
    readings_ = get(bytes);
    Loaded& loaded = loaded_.emplace();
    loaded.run = results_.size();
    bytes.get(loaded.cycle);
    bytes.append_to(loaded.state.whole);
    loaded.state.nodes = get(bytes);
    if (!bytes.at_end()) throw BrokenBytes();
}

std::optional<std::uint64_t> Checkpoint::resumes_at() const {
    if (!loaded_ || loaded_->run != told_runs_) return std::nullopt;
    return loaded_->cycle;
}

Checkpoint::State Checkpoint::load(const std::vector<NodeId>& nodes) {
    State state{std::move(loaded_->state.whole), {}};
    for (const NodeId node : nodes) {
        if (+node >= loaded_->state.nodes.size()) throw BrokenBytes();
        state.nodes.push_back(std::move(loaded_->state.nodes[+node]));
    }
    loaded_.reset();
    return state;
}

std::uint64_t Checkpoint::next(std::uint64_t cycle) {
    if (options_.file.empty()) return UINT64_MAX;
    last_ = cycle;
    return cycle + options_.every - (cycles_before_ + cycle) % options_.every;
}

void Checkpoint::save(std::uint64_t cycle, const std::vector<NodeId>& nodes, const State& state) {
    ByteWriter own;
    own.put(nodes);
    put(own, state.nodes);
    if (ranks_->rank() != 0) return ranks_->send(0, own.take());
    try {
        write(cycle, state.whole, own.take());
        fails_ = false;
    } catch (const InputError&) {
        const bool told = fails_ || !options_.warm.empty();  // warm states are a help, no more
        fails_ = true;
        if (!told && options_.warn)
            options_.warn(
                fmt::format("cannot save cycle {} in '{}' (is the disk full?): the run continues, and the "
                            "last checkpoint stays",
                            cycle, options_.file));
    }
}

void Checkpoint::write(std::uint64_t cycle, const Bytes& whole, const Bytes& own) const {
    std::vector<Bytes> all;  // [node]
    for (std::uint32_t rank = 0; rank < ranks_->size(); ++rank) {
        const Bytes told = rank == 0 ? own : ranks_->receive(rank);
        ByteReader bytes(told);
        std::vector<NodeId> nodes;
        bytes.append_to(nodes);
        std::vector<Bytes> states = get(bytes);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            all.resize(std::max<std::size_t>(all.size(), +nodes[i] + 1U));
            all[+nodes[i]] = std::move(states[i]);
        }
    }
    ByteWriter body;
    put(body, options_.warm.empty() ? results_ : std::vector<Bytes>());
    put(body, readings_);
    body.put(cycle);
    body.put(whole);
    put(body, all);
    const std::string about = experiment_ + "\n" + deflated(body.take());
    write_whole_file(options_.warm.empty() ? options_.file : warm_file(), [&](std::ostream& out) {
        out << first_line << '\n' << program() << '\n' << fingerprint(about) << '\n' << about;
    });
}

Checkpoint& no_checkpoint() {
    static Checkpoint none;
    return none;
}

}  // namespace interlace
