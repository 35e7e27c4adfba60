// Interlace: whether all ranks run the same experiment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/same_on_ranks.h"

#include <initializer_list>

#include "interlace/core/random.h"
#include "interlace/experiment/nodes/named_files.h"

namespace interlace {
namespace {

/// Of many values, in their order.
class Hash {
  public:
    void add(std::initializer_list<std::uint64_t> values) {
        for (const std::uint64_t value : values) hash_ = mixed_bits(hash_ ^ value);
    }
    std::uint64_t value() const { return hash_; }

  private:
    std::uint64_t hash_ = 0;
};

}  // namespace

void require_same_experiment(Communicator& ranks, const Json& experiment) {
    if (ranks.alone()) return;
    const Json all = {version(), commit(), experiment, contents_of_named_files(experiment)};
    Hash hash;
    for (const char c : all.dump(-1, ' ', false, Json::error_handler_t::replace))
        hash.add({static_cast<unsigned char>(c)});
    require_same(ranks, "the experiment", hash.value());
}

void require_same_messages(Communicator& ranks, const MessageProgram& program) {
    if (ranks.alone()) return;
    Hash hash;
    for (const Message& message : program.messages) hash.add({message.from, message.to, message.bytes});
    for (const auto& operation : program.operations)
        hash.add({static_cast<std::uint64_t>(operation.kind), operation.machine, operation.number});
    for (const auto* order : {&program.order, &program.start_order})
        for (const auto& [before, after] : *order) hash.add({before, after});
    for (const auto& envelope : program.matching.envelopes) hash.add({envelope.value_or(UINT32_MAX)});
    for (const std::uint64_t room : program.matching.room) hash.add({room});
    require_same(ranks, "the program of messages", hash.value());
}

}  // namespace interlace
