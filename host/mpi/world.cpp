// Interlace: the processes that mpirun has started
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <climits>
#include <deque>
#include <stdexcept>

#include "interlace/mpi/world.h"
#include "launcher.h"

namespace interlace {
namespace {

/// Bytes that ranks tell one another at once: fewer than MPI can count.
constexpr std::ptrdiff_t piece = std::ptrdiff_t{1} << 28U;

/// As MPI counts bytes.
int count_of(std::size_t bytes) {
    if (bytes > INT_MAX) throw std::runtime_error("ranks have more than 2 GiB to tell one another at once");
    return static_cast<int>(bytes);
}

/// The last one shorter than the others.
std::vector<Bytes> in_pieces(Bytes message) {
    if (message.size() < std::size_t{piece}) return {std::move(message)};
    std::vector<Bytes> pieces;
    auto from = message.begin();
    for (; message.end() - from >= piece; from += piece) pieces.emplace_back(from, from + piece);
    pieces.emplace_back(from, message.end());
    return pieces;
}

class MpiWorld final : public Communicator {
  public:
    MpiWorld() {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
        int number = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &number);
        rank_ = static_cast<std::uint32_t>(number);
        MPI_Comm_size(MPI_COMM_WORLD, &number);
        size_ = static_cast<std::uint32_t>(number);
    }
    ~MpiWorld() override {
        while (!sending_.empty()) let_go(true);
        MPI_Finalize();
    }
    MpiWorld(const MpiWorld&) = delete;
    MpiWorld& operator=(const MpiWorld&) = delete;

    std::uint32_t rank() const override { return rank_; }
    std::uint32_t size() const override { return size_; }

    /// A long message goes in pieces, of which the last one is shorter than the others.
    void send(std::uint32_t to, Bytes message) override {
        while (let_go(false)) {
        }
        // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): let_go() waits for each
        for (Bytes& part : in_pieces(std::move(message))) {
            sending_.push_back({std::move(part), MPI_REQUEST_NULL});
            Sending& last = sending_.back();
            MPI_Isend(last.message.data(), count_of(last.message.size()), MPI_BYTE, static_cast<int>(to), 0,
                      MPI_COMM_WORLD, &last.request);
        }
    }
    Bytes receive(std::uint32_t from) override {
        Bytes message;
        for (std::size_t size = piece; size == std::size_t{piece};) {
            size = size_of_next(from);
            message.resize(message.size() + size);
            MPI_Mrecv(message.data() + message.size() - size, static_cast<int>(size), MPI_BYTE, &found_,
                      MPI_STATUS_IGNORE);
        }
        return message;
    }
    void reduce(std::span<std::uint64_t> values, Reduction reduction) override {
        if (alone()) return;
        const MPI_Op operation = reduction == Reduction::sum     ? MPI_SUM
                                 : reduction == Reduction::least ? MPI_MIN
                                                                 : MPI_MAX;
        MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, operation,
                      MPI_COMM_WORLD);
    }
    std::vector<Bytes> gather(const Bytes& own) override {
        std::vector<int> sizes(size_), places(size_);
        const int size = count_of(own.size());
        MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
        for (std::size_t r = 1; r < size_; ++r)
            places[r] = count_of(std::size_t{static_cast<std::uint32_t>(places[r - 1])} +
                                 static_cast<std::uint32_t>(sizes[r - 1]));
        Bytes all(static_cast<std::size_t>(places.back()) + static_cast<std::size_t>(sizes.back()));
        MPI_Allgatherv(own.data(), size, MPI_BYTE, all.data(), sizes.data(), places.data(), MPI_BYTE,
                       MPI_COMM_WORLD);
        std::vector<Bytes> told;
        for (std::size_t r = 0; r < size_; ++r)
            told.emplace_back(all.begin() + places[r], all.begin() + places[r] + sizes[r]);
        return told;
    }

  private:
    struct Sending {
        Bytes message;
        MPI_Request request;
    };
    /// Of the piece that comes next, which is found_ then.
    std::size_t size_of_next(std::uint32_t from) {
        MPI_Status status;
        MPI_Mprobe(static_cast<int>(from), 0, MPI_COMM_WORLD, &found_, &status);
        int size = 0;
        MPI_Get_count(&status, MPI_BYTE, &size);
        return static_cast<std::size_t>(size);
    }
    /// The memory of the message that was sent first; false: it is still needed.
    bool let_go(bool wait) {
        if (sending_.empty()) return false;
        int sent = 0;
        do {
            MPI_Test(&sending_.front().request, &sent, MPI_STATUS_IGNORE);
        } while (wait && sent == 0);
        if (sent != 0) sending_.pop_front();
        return sent != 0;
    }

    std::uint32_t rank_ = 0, size_ = 1;
    std::deque<Sending> sending_;
    MPI_Message found_ = nullptr;
};

}  // namespace

std::uint32_t rank_of_process() {
    return rank_by_launcher();
}

Communicator& world() {
    if (!started_by_mpirun()) {
        require_launched(1);
        return no_other_ranks();
    }
    static MpiWorld world;
    require_launched(world.size());
    return world;
}

bool has_met_ranks() {
    int yes = 0;
    MPI_Initialized(&yes);
    return yes != 0;
}

}  // namespace interlace
