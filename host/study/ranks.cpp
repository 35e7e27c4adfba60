// Interlace: a sweep on many machines: the processes that mpirun has started
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/ranks.h"

#include <mpi.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "interlace/mpi/world.h"
#include "processes.h"

namespace interlace {
namespace {

enum Tag { task, outcome, over };

void send(const std::string& text, int rank, Tag tag) {
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, tag, MPI_COMM_WORLD);
}

std::string receive(const MPI_Status& found) {
    int size = 0;
    MPI_Get_count(&found, MPI_CHAR, &size);
    std::string text(static_cast<std::size_t>(size), '\0');
    MPI_Recv(text.data(), size, MPI_CHAR, found.MPI_SOURCE, found.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return text;
}

/// Waits for a message as other processes can use the core meanwhile, unlike MPI_Probe; at most a second.
bool wait_for_message(MPI_Status& status) {
    for (int i = 0; i < 1000; ++i) {
        int found = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
        if (found != 0) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

std::string to_text(const TaskOutcome& ended) {
    return nlohmann::json{{"failed", ended.failed}, {"text", ended.text}, {"seconds", ended.seconds}}.dump();
}

TaskOutcome from_text(const std::string& text) {
    const auto json = nlohmann::json::parse(text);
    return {json["failed"], json["text"], json["seconds"]};
}

}  // namespace

Ranks::Ranks() : rank_(world().rank()), count_(world().size()) {}

Ranks::~Ranks() {
    for (std::uint32_t rank = 1; first() && rank < count_; ++rank) send("", static_cast<int>(rank), over);
}

void Ranks::serve(const std::function<std::string(const std::string&)>& compute) const {
    for (;;) {
        MPI_Status status;
        if (!wait_for_message(status)) continue;
        const std::string text = receive(status);
        if (status.MPI_TAG == over) return;
        run_in_processes(
            1, 1, [&](std::size_t) { return compute(text); },
            [](std::size_t, const TaskOutcome& ended) { send(to_text(ended), 0, outcome); }, [] {});
    }
}

void Ranks::deal(std::size_t tasks, const std::function<std::string(std::size_t)>& text,
                 const std::function<void(std::size_t, const TaskOutcome&)>& finished,
                 const std::function<void()>& waiting) const {
    std::set<int> free;
    for (std::uint32_t rank = 1; rank < count_; ++rank) free.insert(static_cast<int>(rank));
    std::map<int, std::size_t> busy;  // rank: its task
    for (std::size_t next = 0; next < tasks || !busy.empty();) {
        for (; next < tasks && !free.empty(); ++next) {
            send(text(next), *free.begin(), task);
            busy[*free.begin()] = next;
            free.erase(free.begin());
        }
        MPI_Status status;
        if (wait_for_message(status)) {
            const TaskOutcome ended = from_text(receive(status));
            finished(busy.at(status.MPI_SOURCE), ended);
            busy.erase(status.MPI_SOURCE);
            free.insert(status.MPI_SOURCE);
        }
        waiting();
    }
}

}  // namespace interlace
