// Interlace: programs of machines that do one thing after the other
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "interlace/program/messages.h"

namespace interlace {

/// Makes a program in which each machine begins an operation when all of its own before it are complete.
class InTurn {
  public:
    explicit InTurn(std::uint32_t machines) : last_(machines) { program_.machines = machines; }

    struct Transfer {
        std::uint32_t from, to;
        std::vector<std::uint32_t> blocks;
        std::vector<OperationId> after = {};  ///< of the sender, besides
    };
    /// Transfers of one step, `bytes` for each block (or one where there is none): a machine that is in
    /// several of them does them at the same time. Returns the send and the receive of each.
    std::vector<std::pair<OperationId, OperationId>> step(const std::vector<Transfer>& transfers,
                                                          std::uint64_t bytes);
    /// All machines wait for one another.
    void barrier();
    /// A message of no bytes that is sent when `after` is complete, whatever else the machines do. Returns
    /// its receive.
    OperationId note(NodeId from, NodeId to, OperationId after);
    MessageProgram take() { return std::move(program_); }

  private:
    void put_in_turn(const std::vector<std::pair<std::uint32_t, OperationId>>& begun);

    MessageProgram program_;
    std::uint32_t barriers_ = 0;
    std::vector<std::vector<OperationId>> last_;  // of each machine, the operations that it began last
};

}  // namespace interlace
