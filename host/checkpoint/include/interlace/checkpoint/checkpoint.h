// Interlace: how far the runs of an experiment have come, in a file that they go on from
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "interlace/core/bytes.h"
#include "interlace/core/error.h"
#include "interlace/core/ids.h"
#include "interlace/measure/json_result.h"
#include "interlace/ranks/communicator.h"

namespace interlace {

struct CheckpointOptions {
    std::string file;          ///< that is written; empty: none
    std::uint64_t every = 0;   ///< cycles of all runs from one to the next, at least 1 where there is a file
    std::string resumed_from;  ///< file that is read; empty: none
    /// Folder of states at the end of warm-ups, that runs leave there or begin from; empty: none.
    std::string warm;
    std::function<void(const std::string&)> warn;  ///< hears of checkpoints that cannot be saved, or empty
    bool any() const { return !file.empty() || !resumed_from.empty() || !warm.empty(); }
    bool saves() const { return !file.empty() || !warm.empty(); }
};

/// The runs of an experiment, one after the other, as far as they have come. A run is resumed by doing it
/// again from its beginning, but for its cycles: whatever it had learned from those to decide by (reading())
/// is told again, until it has come to where the state that was saved is loaded. So nothing that steers a run
/// needs a state of its own. Ranks call everything together and in the same order; rank 0 writes.
class Checkpoint {
  public:
    /// Saves nothing, and resumes nothing.
    Checkpoint() = default;
    /// Of `experiment`, all that its result depends on; with a folder for warm-ups, all that a state at their
    /// end does. Throws InputError for a file that is not one of this program's, of its version, and of this
    /// experiment, whole, for one that cannot be written; in such a folder that is as none. Called by all
    /// ranks.
    Checkpoint(CheckpointOptions options, const Json& experiment, Communicator& ranks);

    /// The result of the next run: that of `run`, which may save, unless it is over as the file has it.
    /// `write(bytes, result)`, `read(bytes)`.
    template <class Result, class Run, class Write, class Read>
    Result run(const Run& run, const Write& write, const Read& read) {
        if (told_runs_ < results_.size()) {
            ByteReader bytes(results_[told_runs_++]);
            return loaded([&] { return read(bytes); });
        }
        find_warm_state();
        Result result = run();
        if (!options_.saves()) return result;
        cycles_before_ += last_;
        last_ = 0;
        ByteWriter bytes;
        write(bytes, result);
        results_.push_back(bytes.take());
        told_runs_ = results_.size();
        readings_.clear();
        told_readings_ = 0;
        return result;
    }
    /// What a run decides by: what `read` says, or said.
    template <class T, class Read>
    T reading(const Read& read) {
        static_assert(std::is_trivially_copyable_v<T>);
        T value{};
        if (told_readings_ < readings_.size()) {
            loaded([&] { ByteReader(readings_[told_readings_++]).get(value); });
            return value;
        }
        value = read();
        if (!options_.saves()) return value;
        ByteWriter bytes;
        bytes.put(value);
        readings_.push_back(bytes.take());
        told_readings_ = readings_.size();
        return value;
    }

    /// The cycle whose state the run in progress is to load() before it comes there, or nothing.
    std::optional<std::uint64_t> resumes_at() const;
    struct State {
        Bytes whole;               ///< what nodes have in common
        std::vector<Bytes> nodes;  ///< [node that was asked for]
    };
    /// Throws BrokenBytes for what a checkpoint that was written does not have.
    State load(const std::vector<NodeId>& nodes);
    /// What `load` makes of bytes of the file. Throws InputError for its BrokenBytes.
    template <class Load>
    auto loaded(const Load& load) const {
        try {
            return load();
        } catch (const BrokenBytes&) {
            throw damaged(options_.resumed_from.empty() ? options_.warm : options_.resumed_from);
        }
    }

    /// The first cycle behind `cycle` in which the run in progress is to save() its state; UINT64_MAX: none.
    std::uint64_t next(std::uint64_t cycle);
    /// Whether a file in a folder of such is one by its name: of `experiment` and of a run.
    static bool is_warm_state(const std::string& file);
    /// Whether it is to be saved in this cycle, in which the warm-up of the run in progress has ended.
    bool wants_warm_state() const { return !options_.warm.empty() && !is_warm_; }
    /// `nodes`: of this rank. Where the file cannot be written, the one before stays, and `warn` hears of it.
    void save(std::uint64_t cycle, const std::vector<NodeId>& nodes, const State& state);

  private:
    void find_warm_state();
    static InputError damaged(const std::string& file);
    std::string warm_file() const;
    void read(const std::string& file);
    void read_body(const Bytes& body);
    void write(std::uint64_t cycle, const Bytes& whole, const Bytes& own) const;

    CheckpointOptions options_;
    std::string experiment_;
    Communicator* ranks_ = &no_other_ranks();
    std::vector<Bytes> results_, readings_;  // of runs that are over; of the one in progress
    std::size_t told_runs_ = 0, told_readings_ = 0;
    std::uint64_t cycles_before_ = 0,
                  last_ = 0;  // of runs that are over; of this one, that was heard of last
    struct Loaded {
        std::uint64_t cycle;
        std::size_t run;  // its number
        State state;      // [node], of all
    };
    std::optional<Loaded> loaded_;  // until the run goes on from it
    bool fails_ = false;            // the last one could not be saved
    bool is_warm_ = false;          // the run in progress began with a warm state
};

/// One that saves and resumes nothing.
Checkpoint& no_checkpoint();

}  // namespace interlace
