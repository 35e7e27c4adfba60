// Interlace: the processes that run one network together
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "interlace/core/bytes.h"

namespace interlace {

enum class Reduction : std::uint8_t { sum, least, most };

/// Ranks, each some of the nodes, and what they tell one another. All of them run the same program on the
/// same input: they call reduce() and gather() in the same order, from one thread at a time, and come to the
/// same decisions, because they decide by what they were told in this way.
class Communicator {
  public:
    virtual ~Communicator() = default;
    Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    virtual std::uint32_t rank() const = 0;  ///< of this process: 0 to size() - 1
    virtual std::uint32_t size() const = 0;
    bool alone() const { return size() == 1; }

    /// Does not wait for the other one, whose receive() returns the messages of a rank in their order.
    virtual void send(std::uint32_t to, Bytes message) = 0;
    virtual Bytes receive(std::uint32_t from) = 0;
    /// Each value becomes what it comes to over all ranks.
    virtual void reduce(std::span<std::uint64_t> values, Reduction reduction) = 0;
    /// What each rank says here, [rank].
    virtual std::vector<Bytes> gather(const Bytes& own) = 0;

    std::uint64_t reduced(std::uint64_t value, Reduction reduction) {
        reduce({&value, 1}, reduction);
        return value;
    }
    /// All ranks' values, those of rank 0 first.
    template <class T>
    std::vector<T> gather_values(const std::vector<T>& own) {
        if (alone()) return own;
        ByteWriter writer;
        writer.put(own);
        std::vector<T> all;
        for (const Bytes& bytes : gather(writer.take())) ByteReader(bytes).append_to(all);
        return all;
    }
};

/// That of a process which runs everything itself.
Communicator& no_other_ranks();

/// Called by all ranks: throws InputError where `value` (a hash of `what`) is not the same on all of them.
void require_same(Communicator& ranks, const std::string& what, std::uint64_t value);

/// Called by all ranks: throws InputError, with the first that differs, where they were started with other
/// arguments.
void require_same_arguments(Communicator& ranks, const std::vector<std::string>& arguments);

/// Called by all ranks: where one of them has something thrown, in a cycle, all throw; that of the first
/// cycle, and of one cycle that of the lowest rank. On ranks but its own that is a FellShort with its text.
void rethrow_first(Communicator& ranks, std::uint64_t cycle, const std::exception_ptr& thrown);

}  // namespace interlace
