// Interlace: the processes that run one network together
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/ranks/communicator.h"

#include <algorithm>
#include <cassert>
#include <new>
#include <stdexcept>
#include <string>

#include "interlace/core/error.h"

namespace interlace {
namespace {

class Alone final : public Communicator {
  public:
    std::uint32_t rank() const override { return 0; }
    std::uint32_t size() const override { return 1; }
    void send(std::uint32_t /*to*/, Bytes /*message*/) override { assert(false); }
    Bytes receive(std::uint32_t /*from*/) override {
        assert(false);
        return {};
    }
    void reduce(std::span<std::uint64_t> /*values*/, Reduction /*reduction*/) override {}
    std::vector<Bytes> gather(const Bytes& own) override { return {own}; }
};

std::string text_of(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        return "not enough memory";
    } catch (const std::logic_error& error) {
        return std::string("a fault of interlace itself, please report it: ") + error.what();
    } catch (const std::exception& error) {
        return error.what();
    }
}

[[noreturn]] void refuse_difference(const std::string& what) {
    throw InputError(what, "the same arguments, files and program for each");
}

std::vector<std::string> texts_of(const Bytes& bytes) {
    ByteReader reader(bytes);
    std::uint64_t count = 0;
    reader.get(count);
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < count; ++i) texts.push_back(reader.get_text());
    return texts;
}

/// "no argument" where there is none.
std::string argument_at(const std::vector<std::string>& arguments, std::size_t i) {
    return i < arguments.size() ? "'" + arguments[i] + "'" : "no argument";
}

}  // namespace

Communicator& no_other_ranks() {
    static Alone alone;
    return alone;
}

void require_same(Communicator& ranks, const std::string& what, std::uint64_t value) {
    if (ranks.reduced(value, Reduction::least) == ranks.reduced(value, Reduction::most)) return;
    refuse_difference(what + " is not the same on all ranks");
}

void require_same_arguments(Communicator& ranks, const std::vector<std::string>& arguments) {
    if (ranks.alone()) return;
    ByteWriter writer;
    writer.put(std::uint64_t{arguments.size()});
    for (const std::string& argument : arguments) writer.put(argument);
    const std::vector<Bytes> told = ranks.gather(writer.take());
    const std::vector<std::string> first = texts_of(told[0]);
    for (std::size_t rank = 1; rank < told.size(); ++rank) {
        const std::vector<std::string> others = texts_of(told[rank]);
        for (std::size_t i = 0; i < std::max(first.size(), others.size()); ++i)
            if (argument_at(first, i) != argument_at(others, i))
                refuse_difference("the command is not the same on all ranks: rank 0 has " +
                                  argument_at(first, i) + " where rank " + std::to_string(rank) + " has " +
                                  argument_at(others, i));
    }
}

void rethrow_first(Communicator& ranks, std::uint64_t cycle, const std::exception_ptr& thrown) {
    const std::uint64_t first = ranks.reduced(thrown ? cycle : UINT64_MAX, Reduction::least);
    if (first == UINT64_MAX) return;
    const bool mine = thrown && cycle == first;
    const std::uint64_t rank = ranks.reduced(mine ? ranks.rank() : UINT64_MAX, Reduction::least);
    ByteWriter writer;
    writer.put(mine ? text_of(thrown) : std::string());
    const Bytes told = ranks.gather(writer.take())[rank];
    if (rank == ranks.rank()) std::rethrow_exception(thrown);
    throw FellShort(ByteReader(told).get_text());
}

}  // namespace interlace
