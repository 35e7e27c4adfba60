// Interlace: example: 64 processors on a torus add up vectors in a ring
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <interlace/harness/observers/link_use.h>
#include <interlace/tlm/tlm_network.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <vector>

namespace {

using interlace::IncomingHeader;
using interlace::MemoryMap;
using interlace::OutgoingHeader;
using sc_core::sc_time;

/// 700 MHz, as Blue Gene/L has them.
const sc_time& clock_period() {
    static const sc_time period(1.0 / 0.7, sc_core::SC_NS);
    return period;
}

constexpr double add_clocks = 2;            ///< to add one number
constexpr double packet_clocks = 200;       ///< of software for a packet, sent or received
constexpr std::size_t packet_numbers = 30;  ///< 240 bytes: a full packet

struct Latencies {
    std::uint64_t packets = 0, cycles = 0, most = 0;
    void add(const IncomingHeader& header) {
        const std::uint64_t latency = header.taken - header.injected;
        ++packets;
        cycles += latency;
        most = std::max(most, latency);
    }
};

/// A processor that runs ahead of the kernel by up to the global quantum.
struct Processor : sc_core::sc_module {
    SC_HAS_PROCESS(Processor);
    Processor(const sc_core::sc_module_name& name, std::uint32_t rank, std::uint32_t ranks, std::size_t chunk)
        : sc_module(name), rank_(rank), ranks_(ranks), chunk_(chunk), numbers(chunk * ranks) {
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(rank * i);
        SC_THREAD(run);
    }

    tlm_utils::simple_initiator_socket<Processor> socket;

  private:
    std::uint32_t rank_, ranks_;
    std::size_t chunk_;  // numbers in each of the ring's pieces
    tlm_utils::tlm_quantumkeeper time_;
    std::map<std::uint32_t, std::vector<double>> came_;  // by tag

  public:
    std::vector<double> numbers;
    Latencies latencies;
    sc_time end;

  private:
    /// Reduce-scatter, then all-gather: in each step a chunk goes to the next rank, another comes.
    void run() {
        time_.reset();
        std::uint32_t step = 0;
        for (std::uint32_t i = 0; i + 1 < ranks_; ++i, ++step) {
            send(step, chunk(rank_ + ranks_ - i));
            receive(step, chunk(rank_ + ranks_ - i - 1), true);
        }
        for (std::uint32_t i = 0; i + 1 < ranks_; ++i, ++step) {
            send(step, chunk(rank_ + ranks_ + 1 - i));
            receive(step, chunk(rank_ + ranks_ - i), false);
        }
        end = time_.get_current_time();
    }
    double* chunk(std::uint32_t index) { return &numbers[index % ranks_ * chunk_]; }
    std::uint32_t tag(std::uint32_t step, std::size_t first) const {
        return static_cast<std::uint32_t>(step * chunk_ + first);
    }

    void send(std::uint32_t step, const double* from) {
        for (std::size_t i = 0; i < chunk_; i += packet_numbers) {
            pass(packet_clocks);
            const std::size_t count = std::min(packet_numbers, chunk_ - i);
            const OutgoingHeader header{.target = (rank_ + 1) % ranks_, .tag = tag(step, i)};
            std::vector<unsigned char> bytes(sizeof header + count * sizeof(double));
            std::memcpy(bytes.data(), &header, sizeof header);
            std::memcpy(bytes.data() + sizeof header, from + i, count * sizeof(double));
            transport(tlm::TLM_WRITE_COMMAND, MemoryMap::inject(0), bytes);
        }
    }
    void receive(std::uint32_t step, double* to, bool add) {
        for (std::size_t i = 0; i < chunk_; i += packet_numbers) {
            // Adaptive packets overtake one another.
            while (came_.count(tag(step, i)) == 0) receive_one();
            const auto packet = came_.extract(tag(step, i));
            const std::vector<double>& came = packet.mapped();
            for (std::size_t j = 0; j < came.size(); ++j) to[i + j] = add ? to[i + j] + came[j] : came[j];
            if (add) pass(add_clocks * static_cast<double>(came.size()));
        }
    }
    void receive_one() {
        std::vector<unsigned char> bytes(sizeof(IncomingHeader) + packet_numbers * sizeof(double));
        transport(tlm::TLM_READ_COMMAND, MemoryMap::receive, bytes);
        IncomingHeader header;
        std::memcpy(&header, bytes.data(), sizeof header);
        latencies.add(header);
        std::vector<double>& came = came_[header.tag];
        came.resize(header.bytes / sizeof(double));
        std::memcpy(came.data(), bytes.data() + sizeof header, header.bytes);
        pass(packet_clocks);
    }

    void transport(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& bytes) {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(bytes.data());
        payload.set_data_length(static_cast<unsigned>(bytes.size()));
        payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
        sc_time delay = time_.get_local_time();
        socket->b_transport(payload, delay);
        if (payload.is_response_error()) SC_REPORT_FATAL("all_reduce", payload.get_response_string().c_str());
        time_.set(delay);
        sync();
    }
    void pass(double clocks) {
        time_.inc(clocks * clock_period());
        sync();
    }
    void sync() {
        if (time_.need_sync()) time_.sync();
    }
};

bool is_right(const Processor& processor, std::uint32_t ranks) {
    for (std::size_t i = 0; i < processor.numbers.size(); ++i)
        if (processor.numbers[i] != static_cast<double>(i) * ranks * (ranks - 1) / 2) return false;
    return true;
}

/// Numbers in a chunk, and the quantum in nanoseconds.
int simulate(std::size_t chunk, double quantum) {
    tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(quantum, sc_core::SC_NS));
    interlace::TlmNetworkOptions options;
    options.cycle = 16 * clock_period();  // a hop takes two of them
    options.node = interlace::node_parameters("bgl");
    options.links = interlace::link_parameters("bgl");
    interlace::TlmNetwork network("network", interlace::make_network("torus:4x4x4"), options);
    const interlace::Fabric& fabric = network.fabric();
    interlace::LinkUse use(fabric);
    std::uint64_t computed = 0;
    network.machine().watch({.links = true});
    network.machine().observe(
        [&](std::uint64_t cycle, const interlace::RegionInputs&, const interlace::RegionOutputs& outputs) {
            use.observe(cycle, outputs);
            ++computed;
        },
        false);

    std::deque<Processor> processors;
    for (std::uint32_t rank = 0; rank < fabric.nodes; ++rank) {
        processors.emplace_back(sc_core::sc_gen_unique_name("processor"), rank, fabric.nodes, chunk);
        processors.back().socket.bind(network.socket[rank]);
    }
    sc_core::sc_start();

    Latencies all;
    sc_time end;
    for (const Processor& processor : processors) {
        if (!is_right(processor, fabric.nodes)) {
            std::printf("%s has a wrong sum\n", processor.name());
            return 1;
        }
        end = std::max(end, processor.end);
        all.packets += processor.latencies.packets;
        all.cycles += processor.latencies.cycles;
        all.most = std::max(all.most, processor.latencies.most);
    }
    const auto cycles = static_cast<std::uint64_t>(end / network.cycle());
    double most = 0;
    double sum = 0;
    std::uint32_t links = 0;
    for (std::uint32_t v = 0; v < fabric.nodes; ++v)
        for (std::uint32_t p = 0; p < fabric.ports; ++p) {
            if (!fabric.to(v, p).linked()) continue;
            const double busy = use.utilisation(interlace::NodeId{v}, p, cycles);
            most = std::max(most, busy);
            sum += busy;
            ++links;
        }
    std::printf("all-reduce    %zu numbers on each of %u processors, sums are right\n", chunk * fabric.nodes,
                fabric.nodes);
    std::printf("time          %.3f us, %llu cycles of the network\n", end.to_seconds() * 1e6,
                static_cast<unsigned long long>(cycles));
    std::printf("packets       %llu, latency mean %.2f, max %llu cycles\n",
                static_cast<unsigned long long>(all.packets),
                static_cast<double>(all.cycles) / static_cast<double>(all.packets),
                static_cast<unsigned long long>(all.most));
    std::printf("links         %u, utilisation mean %.4f, max %.4f\n", links, sum / links, most);
    std::printf("simulation    quantum %g ns, %llu cycles computed, %llu delta cycles of the kernel\n",
                quantum, static_cast<unsigned long long>(computed),
                static_cast<unsigned long long>(sc_core::sc_delta_count()));
    return 0;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
    try {
        const long chunk = argc > 1 ? std::atol(argv[1]) : 120;
        const double quantum = argc > 2 ? std::atof(argv[2]) : 1000;
        if (chunk > 0 && quantum >= 0 && argc <= 3) return simulate(static_cast<std::size_t>(chunk), quantum);
        std::printf("usage: all_reduce [NUMBERS_OF_A_CHUNK [QUANTUM_NS]]\n");
        return 2;
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}
