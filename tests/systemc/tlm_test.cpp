// Interlace: a network in a SystemC platform: times by hand, back-pressure, and all that a platform may see
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/tlm/tlm_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <string>

#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/engine/native/native.h"
#include "interlace/harness/traffic/traffic.h"
#ifdef INTERLACE_RTL
#include "interlace/engine/verilated/verilated.h"
#endif

/// libsystemc asks for it; the kernel here is driven by sc_start alone.
int sc_main(int /*argc*/, char* /*argv*/[]) {
    return 0;
}

namespace interlace {
namespace {

using sc_core::sc_start;
using sc_core::sc_time;
using sc_core::sc_time_stamp;
using sc_core::SC_ZERO_TIME;
using testing::ElementsAre;
using testing::ElementsAreArray;
using Bytes = std::vector<unsigned char>;

const sc_time& cycle() {
    static const sc_time time(10, sc_core::SC_NS);
    return time;
}
sc_time cycles(double count) {
    return count * cycle();
}

/// A process has one SystemC kernel, which elaborates once: a process for each platform.
template <class Body>
void alone(const Body& body) {
    EXPECT_EXIT(
        {
            body();
            std::fflush(nullptr);
            std::_Exit(testing::Test::HasFailure() ? 1 : 0);
        },
        testing::ExitedWithCode(0), "");
}

/// What was read, or `valid` 0 and nothing.
struct Incoming {
    IncomingHeader header;
    Bytes payload;
};

Bytes bytes_of(const OutgoingHeader& header, const Bytes& payload) {
    Bytes bytes(sizeof header);
    std::memcpy(bytes.data(), &header, sizeof header);
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    return bytes;
}

OutgoingHeader to(std::uint32_t node, std::uint32_t tag = 0) {
    return {.target = node, .tag = tag};
}

void fill(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address, Bytes& bytes) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(static_cast<unsigned>(bytes.size()));
    payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
    payload.set_byte_enable_ptr(nullptr);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

/// Loosely timed: one thread, ahead of the kernel by up to its quantum.
struct Processor : sc_core::sc_module {
    using Program = std::function<void(Processor&)>;
    SC_HAS_PROCESS(Processor);
    Processor(const sc_core::sc_module_name& name, Program run, const sc_time& quantum_time = SC_ZERO_TIME)
        : sc_module(name), program(std::move(run)), quantum(quantum_time) {
        SC_THREAD(thread);
    }
    void thread() {
        program(*this);
        done = true;
    }

    sc_time now() const { return sc_time_stamp() + local; }
    void sync() {
        if (local > quantum) {
            sc_core::wait(local);
            local = SC_ZERO_TIME;
        }
    }
    void pass(const sc_time& time) {
        local += time;
        sync();
    }
    /// To an absolute time that is not past.
    void go_to(const sc_time& time) { pass(time - now()); }
    tlm::tlm_response_status transport(tlm::tlm_command command, std::uint64_t address, Bytes& bytes) {
        tlm::tlm_generic_payload payload;
        fill(payload, command, address, bytes);
        socket->b_transport(payload, local);
        sync();
        return payload.get_response_status();
    }
    tlm::tlm_response_status send(const OutgoingHeader& header, const Bytes& payload,
                                  std::uint32_t queue = 0) {
        Bytes bytes = bytes_of(header, payload);
        return transport(tlm::TLM_WRITE_COMMAND, MemoryMap::inject(queue), bytes);
    }
    Incoming receive(std::uint64_t address = MemoryMap::receive) {
        Bytes bytes(4096);
        EXPECT_EQ(transport(tlm::TLM_READ_COMMAND, address, bytes), tlm::TLM_OK_RESPONSE);
        Incoming incoming;
        std::memcpy(&incoming.header, bytes.data(), sizeof incoming.header);
        const auto payload = bytes.begin() + sizeof incoming.header;
        incoming.payload.assign(payload, payload + incoming.header.bytes);
        return incoming;
    }
    std::uint32_t value(std::uint64_t address) {
        Bytes bytes(4);
        EXPECT_EQ(transport(tlm::TLM_READ_COMMAND, address, bytes), tlm::TLM_OK_RESPONSE);
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }

    tlm_utils::simple_initiator_socket<Processor> socket;
    Program program;
    bool done = false;
    sc_time quantum, local;
};

/// Approximately timed: notes when its transactions begin a phase, as "REQ", "END_REQ", "RESP".
struct Engine : sc_core::sc_module, tlm::tlm_mm_interface {
    using Program = std::function<void(Engine&)>;
    struct Transaction : tlm::tlm_generic_payload {
        using tlm_generic_payload::tlm_generic_payload;
        Bytes bytes;
        sc_time request_ended, responded;
        bool has_ended = false, has_response = false;
        int released = 0;
    };

    SC_HAS_PROCESS(Engine);
    Engine(const sc_core::sc_module_name& name, Program run) : sc_module(name), program(std::move(run)) {
        socket.register_nb_transport_bw(this, &Engine::nb_transport_bw);
        SC_THREAD(thread);
    }
    void thread() {
        program(*this);
        done = true;
    }
    void free(tlm::tlm_generic_payload* payload) override { ++static_cast<Transaction*>(payload)->released; }

    Transaction& request(tlm::tlm_command command, std::uint64_t address, Bytes bytes,
                         sc_time delay = SC_ZERO_TIME) {
        Transaction& transaction = transactions.emplace_back(this);
        transaction.bytes = std::move(bytes);
        fill(transaction, command, address, transaction.bytes);
        transaction.acquire();
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        switch (socket->nb_transport_fw(transaction, phase, delay)) {
            case tlm::TLM_COMPLETED:
                responded(transaction, sc_time_stamp() + delay);
                break;
            case tlm::TLM_UPDATED:
                EXPECT_EQ(phase, tlm::END_REQ);
                ended(transaction, sc_time_stamp() + delay);
                break;
            default:
                break;
        }
        while (!transaction.has_ended && !transaction.has_response) sc_core::wait(progress);
        return transaction;
    }
    Transaction& write(const OutgoingHeader& header, const Bytes& payload, std::uint32_t queue = 0) {
        return request(tlm::TLM_WRITE_COMMAND, MemoryMap::inject(queue), bytes_of(header, payload));
    }
    Transaction& read(std::uint64_t address, std::size_t size = 4096) {
        return request(tlm::TLM_READ_COMMAND, address, Bytes(size));
    }
    void finish(Transaction& transaction) {
        while (!transaction.has_response) sc_core::wait(progress);
    }

    void ended(Transaction& transaction, const sc_time& time) {
        transaction.has_ended = true;
        transaction.request_ended = time;
        progress.notify(SC_ZERO_TIME);
    }
    void responded(Transaction& transaction, const sc_time& time) {
        transaction.has_response = true;
        transaction.responded = time;
        transaction.release();
        progress.notify(SC_ZERO_TIME);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_time& delay) {
        auto& transaction = static_cast<Transaction&>(payload);
        if (phase == tlm::END_REQ) {
            ended(transaction, sc_time_stamp() + delay);
            return tlm::TLM_ACCEPTED;
        }
        EXPECT_EQ(phase, tlm::BEGIN_RESP);
        EXPECT_FALSE(in_response) << "two responses at once";
        responded(transaction, sc_time_stamp() + delay);
        if (response_time == SC_ZERO_TIME) return tlm::TLM_COMPLETED;
        in_response = true;
        sc_core::sc_spawn([this, &transaction] {
            sc_core::wait(response_time);
            in_response = false;
            tlm::tlm_phase end = tlm::END_RESP;
            sc_time none;
            EXPECT_EQ(socket->nb_transport_fw(transaction, end, none), tlm::TLM_COMPLETED);
        });
        return tlm::TLM_ACCEPTED;
    }

    tlm_utils::simple_initiator_socket<Engine> socket;
    Program program;
    bool done = false;
    std::deque<Transaction> transactions;
    sc_core::sc_event progress;
    sc_time response_time;  // from BEGIN_RESP to END_RESP
    bool in_response = false;
};

/// A network, and what is bound to some of its nodes. All of it comes to its end.
struct Platform {
    Platform(const std::string& specification, const TlmNetworkOptions& options,
             const std::string& name = "network")
        : network(name.c_str(), make_network(specification), options) {}
    Processor& processor(std::uint32_t node, Processor::Program program,
                         const sc_time& quantum = SC_ZERO_TIME) {
        processors.push_back(std::make_unique<Processor>(sc_core::sc_gen_unique_name("processor"),
                                                         std::move(program), quantum));
        processors.back()->socket.bind(network.socket[node]);
        return *processors.back();
    }
    Engine& engine(std::uint32_t node, Engine::Program program) {
        engines.push_back(
            std::make_unique<Engine>(sc_core::sc_gen_unique_name("engine"), std::move(program)));
        engines.back()->socket.bind(network.socket[node]);
        return *engines.back();
    }
    ~Platform() {
        for (const auto& processor : processors) EXPECT_TRUE(processor->done) << processor->name();
        for (const auto& engine : engines) EXPECT_TRUE(engine->done) << engine->name();
    }
    TlmNetwork network;
    std::vector<std::unique_ptr<Processor>> processors;
    std::vector<std::unique_ptr<Engine>> engines;
};

TlmNetworkOptions options_of(const NodeParameters& node = {}, const LinkParameters& links = {}) {
    TlmNetworkOptions options;
    options.cycle = cycle();
    options.node = node;
    options.links = links;
    return options;
}

/// The payload of a packet of so many flits of 32 bytes, two words of which are the network's.
Bytes payload_of(std::uint32_t flits, unsigned char first = 0) {
    Bytes payload(flits * 32 - 16);
    std::iota(payload.begin(), payload.end(), first);
    return payload;
}

// docs/node.md, section 7 and (pipelined) section 14: from the head on inj_flit_i to the tail on rx_flit_o.
// Here every link is one up a line.
TEST(TlmNetwork, APacketAloneTakesTheCyclesOfTheContract) {
    struct Case {
        Switching switching;
        std::uint32_t pipeline;
        std::uint64_t (*latency)(std::uint64_t hops, std::uint64_t flits);
    };
    const Case cases[] = {{Switching::virtual_cut_through, 1, [](auto h, auto f) { return 2 * h + f + 1; }},
                          {Switching::wormhole, 1, [](auto h, auto f) { return 2 * h + f + 1; }},
                          {Switching::store_and_forward, 1, [](auto h, auto f) { return h * (f + 1) + 2; }},
                          {Switching::virtual_cut_through, 7, [](auto h, auto f) { return 8 * h + f + 8; }},
                          {Switching::store_and_forward, 7, [](auto h, auto f) { return h * (f + 7) + 9; }}};
    for (const Case& c : cases)
        for (const std::uint32_t hops : {1U, 4U})
            for (const std::uint32_t flits : {1U, 2U, 8U})
                for (const double start : {0.0, 1000.0, 1000.3})
                    alone([&] {
                        NodeParameters node;
                        node.switching = c.switching;
                        node.pipeline = c.pipeline;
                        Platform platform("mesh:5", options_of(node));
                        const auto first = static_cast<std::uint64_t>(std::ceil(start));
                        platform.processor(0, [&](Processor& p) {
                            p.pass(cycles(start));
                            EXPECT_EQ(p.send(to(hops, 7), payload_of(flits)), tlm::TLM_OK_RESPONSE);
                            EXPECT_EQ(p.now(), (first + flits) * cycle());
                        });
                        platform.processor(hops, [&](Processor& p) {
                            const Incoming incoming = p.receive();
                            const std::uint64_t taken = first + c.latency(hops, flits);
                            EXPECT_EQ(p.now(), (taken + 1) * cycle());
                            EXPECT_EQ(incoming.header.valid, 1);
                            EXPECT_EQ(incoming.header.source, 0U);
                            EXPECT_EQ(incoming.header.tag, 7U);
                            EXPECT_EQ(incoming.header.injected, first);
                            EXPECT_EQ(incoming.header.taken, taken);
                            EXPECT_EQ(incoming.payload, payload_of(flits));
                        });
                        sc_start();
                        EXPECT_EQ(platform.network.in_flight(), 0U);
                    });
}

/// A link keeps a flit for 8 cycles, and the injection queue holds 4 flits.
TlmNetworkOptions slow_links() {
    NodeParameters node;
    node.injection_depth = 4;
    return options_of(node, {.cycles_per_flit = 8});
}

// Packets of 4 flits. The first is on the pins in cycles 0 to 3, and its flits move in 1, 9, 17 and 25; what
// is freed is on inj_credit_o in 2, 10, 18 and 26, and the host acts on it one cycle later. So the second is
// on the pins in 4, 11, 19 and 27. The link is free in 33, when the third's turn is: its flits wait for those
// that move in 33, 41, 49 and 57, and are on the pins in 35, 43, 51 and 59.
constexpr double written[] = {4, 28, 60};

TEST(TlmNetwork, ASenderWaitsForCredits) {
    alone([] {
        Platform platform("mesh:3", slow_links());
        platform.processor(0, [](Processor& p) {
            for (const double end : written) {
                p.send(to(1), payload_of(4));
                EXPECT_EQ(p.now(), cycles(end));
            }
        });
        sc_start();
    });
}

// Non-blocking, as many as it can: one is being written and one has the place behind it; the third's END_REQ
// comes when the first is written, the fourth's when the second is.
TEST(TlmNetwork, EndReqIsHeldBackWhileTheQueueIsFull) {
    for (const double response : {0.0, 3.0, 100.0})
        alone([response] {
            Platform platform("mesh:3", slow_links());
            Engine& engine = platform.engine(0, [](Engine& e) {
                for (int i = 0; i < 4; ++i) e.write(to(1), payload_of(4));
            });
            engine.response_time = cycles(response);
            sc_start();
            const double ended[] = {0, 0, 4, 28};
            double responded = 0;
            for (std::size_t i = 0; i < 4; ++i) {
                EXPECT_EQ(engine.transactions[i].request_ended, cycles(ended[i])) << i;
                EXPECT_EQ(engine.transactions[i].get_response_status(), tlm::TLM_OK_RESPONSE);
                EXPECT_EQ(engine.transactions[i].released, 1);
                if (i == 3) continue;
                responded = std::max(written[i], i == 0 ? 0.0 : responded + response);
                EXPECT_EQ(engine.transactions[i].responded, cycles(responded)) << i;
            }
        });
}

// Another queue of the same node is not held back by it.
TEST(TlmNetwork, QueuesTakePacketsSideBySide) {
    alone([] {
        Platform platform("mesh:3", slow_links());
        Engine& engine = platform.engine(1, [](Engine& e) {
            e.write(to(0), payload_of(4), 0);
            e.write(to(0), payload_of(4), 0);
            e.write(to(2), payload_of(4), 1);
        });
        sc_start();
        EXPECT_EQ(engine.transactions[1].responded, cycles(written[1]));
        EXPECT_EQ(engine.transactions[2].responded, cycles(written[0]));
    });
}

// One-flit packets over one link are on rx_flit_o in 4, 5 and 6. With memory for one the host takes the first
// and waits until that is read.
TEST(TlmNetwork, AHostWithoutMemoryTakesNothing) {
    for (const double quantum : {0.0, 1e6})
        alone([quantum] {
            TlmNetworkOptions options = options_of();
            options.memory_packets = 1;
            Platform platform("mesh:3", options);
            platform.processor(0, [](Processor& p) {
                for (int i = 0; i < 3; ++i) p.send(to(1), {});
            });
            std::vector<std::uint64_t> taken;
            platform.processor(
                1,
                [&](Processor& p) {
                    // At 100.2 cycles it was not yet read when 100 begins.
                    p.pass(cycles(100.2));
                    for (int i = 0; i < 3; ++i) taken.push_back(p.receive().header.taken);
                    EXPECT_EQ(p.now(), cycles(103));
                },
                cycles(quantum));
            sc_start(cycles(1000));
            EXPECT_THAT(taken, ElementsAre(4, 101, 102));
        });
}

// Whoever reads in time changes nothing.
TEST(TlmNetwork, AHostThatReadsInTimeNeedsMemoryForOnePacket) {
    alone([] {
        TlmNetworkOptions options = options_of();
        options.memory_packets = 1;
        Platform platform("mesh:3", options);
        platform.processor(0, [](Processor& p) {
            for (int i = 0; i < 3; ++i) p.send(to(1), {});
        });
        std::vector<std::uint64_t> taken;
        platform.processor(1, [&](Processor& p) {
            for (int i = 0; i < 3; ++i) taken.push_back(p.receive().header.taken);
        });
        sc_start();
        EXPECT_THAT(taken, ElementsAre(4, 5, 6));
    });
}

TEST(TlmNetwork, APollSaysThatNothingIsThere) {
    for (const double quantum : {0.0, 3.0, 1e6})
        alone([quantum] {
            Platform platform("mesh:3", options_of());
            platform.processor(0, [](Processor& p) { p.send(to(1, 5), {1, 2, 3}); });
            platform.processor(
                1,
                [](Processor& p) {
                    // The packet of one flit is taken in cycle 4 and can be read when that ends.
                    EXPECT_EQ(p.receive(MemoryMap::poll).header.valid, 0);
                    p.pass(cycles(4.9));
                    EXPECT_EQ(p.value(MemoryMap::waiting), 0U);
                    EXPECT_EQ(p.receive(MemoryMap::poll).header.valid, 0);
                    p.go_to(cycles(5));
                    EXPECT_EQ(p.value(MemoryMap::waiting), 1U);
                    const Incoming incoming = p.receive(MemoryMap::poll);
                    EXPECT_EQ(incoming.header.tag, 5U);
                    EXPECT_EQ(incoming.payload, (Bytes{1, 2, 3}));
                    EXPECT_EQ(p.value(MemoryMap::waiting), 0U);
                    EXPECT_EQ(p.receive(MemoryMap::poll).header.valid, 0);
                    EXPECT_EQ(p.now(), cycles(5));
                    EXPECT_EQ(p.value(MemoryMap::node), 1U);
                    EXPECT_EQ(p.value(MemoryMap::nodes), 3U);
                    EXPECT_EQ(p.value(MemoryMap::injections), 4U);
                    EXPECT_EQ(p.value(MemoryMap::largest_payload), 8U * 32 - 16);
                },
                cycles(quantum));
            sc_start();
        });
}

// Packets of one flit, two cycles apart, taken in 4 and 6; read at 12 cycles.
TEST(TlmNetwork, AnInterruptStandsWhileSomethingIsThere) {
    alone([] {
        Platform platform("mesh:3", options_of());
        platform.processor(0, [](Processor& p) {
            p.send(to(1), {});
            p.pass(cycle());
            p.send(to(1), {});
        });
        platform.processor(
            1,
            [](Processor& p) {
                p.pass(cycles(12));
                p.receive();
                p.receive();
                EXPECT_EQ(p.now(), cycles(12));
            },
            cycles(1e6));
        std::vector<std::pair<double, bool>> changes;
        std::vector<double> arrivals;
        sc_core::sc_spawn([&] {
            for (;;) {
                sc_core::wait(platform.network.received[1].value_changed_event());
                changes.emplace_back(sc_time_stamp() / cycle(), platform.network.received[1].read());
            }
        });
        sc_core::sc_spawn([&] {
            for (;;) {
                sc_core::wait(platform.network.arrival(NodeId{1}));
                arrivals.push_back(sc_time_stamp() / cycle());
            }
        });
        sc_start();
        EXPECT_THAT(changes, ElementsAre(std::pair(5.0, true), std::pair(12.0, false)));
        EXPECT_THAT(arrivals, ElementsAre(5.0, 7.0));
    });
}

/// Transactions that are wrong, and how.
struct Wrong {
    const char* what;
    tlm::tlm_command command;
    std::uint64_t address;
    Bytes bytes;
    tlm::tlm_response_status response;
    bool byte_enables = false;
    unsigned streaming_width = 4096;
};

std::vector<Wrong> wrong_transactions() {
    const Bytes good = bytes_of(to(1), {});
    const auto bad = [](OutgoingHeader header) { return bytes_of(header, {}); };
    const auto kind = [](PacketKind k, std::uint32_t target, std::uint16_t ports = 0) {
        return bytes_of({.target = target, .kind = k, .ports = ports}, {});
    };
    using namespace tlm;
    const Bytes room(32), word(4);
    return {
        {"no address", TLM_WRITE_COMMAND, MemoryMap::inject(4), good, TLM_ADDRESS_ERROR_RESPONSE},
        {"inside", TLM_WRITE_COMMAND, MemoryMap::inject(0) + 4, good, TLM_ADDRESS_ERROR_RESPONSE},
        {"between", TLM_READ_COMMAND, 0x14, word, TLM_ADDRESS_ERROR_RESPONSE},
        {"beyond", TLM_READ_COMMAND, UINT64_MAX, word, TLM_ADDRESS_ERROR_RESPONSE},
        {"read of a queue", TLM_READ_COMMAND, MemoryMap::inject(0), room, TLM_COMMAND_ERROR_RESPONSE},
        {"write to receive", TLM_WRITE_COMMAND, MemoryMap::receive, room, TLM_COMMAND_ERROR_RESPONSE},
        {"write of a register", TLM_WRITE_COMMAND, MemoryMap::node, word, TLM_COMMAND_ERROR_RESPONSE},
        {"ignore", TLM_IGNORE_COMMAND, MemoryMap::poll, room, TLM_COMMAND_ERROR_RESPONSE},
        {"byte enables", TLM_WRITE_COMMAND, MemoryMap::inject(0), good, TLM_BYTE_ENABLE_ERROR_RESPONSE, true},
        {"streaming", TLM_WRITE_COMMAND, MemoryMap::inject(0), good, TLM_BURST_ERROR_RESPONSE, false, 4},
        {"no header", TLM_WRITE_COMMAND, MemoryMap::inject(0), Bytes(15), TLM_BURST_ERROR_RESPONSE},
        {"too long", TLM_WRITE_COMMAND, MemoryMap::inject(0), bytes_of(to(1), Bytes(241)),
         TLM_BURST_ERROR_RESPONSE},
        {"no room for a header", TLM_READ_COMMAND, MemoryMap::poll, Bytes(31), TLM_BURST_ERROR_RESPONSE},
        {"half a register", TLM_READ_COMMAND, MemoryMap::node, Bytes(2), TLM_BURST_ERROR_RESPONSE},
        {"two registers", TLM_READ_COMMAND, MemoryMap::node, Bytes(8), TLM_BURST_ERROR_RESPONSE},
        {"no node", TLM_WRITE_COMMAND, MemoryMap::inject(0), bad(to(3)), TLM_GENERIC_ERROR_RESPONSE},
        {"itself", TLM_WRITE_COMMAND, MemoryMap::inject(0), bad(to(0)), TLM_GENERIC_ERROR_RESPONSE},
        {"no flag", TLM_WRITE_COMMAND, MemoryMap::inject(0), bad({.target = 1, .flags = 8}),
         TLM_GENERIC_ERROR_RESPONSE},
        {"ports of unicast", TLM_WRITE_COMMAND, MemoryMap::inject(0), bad({.target = 1, .ports = 1}),
         TLM_GENERIC_ERROR_RESPONSE},
        {"reserved", TLM_WRITE_COMMAND, MemoryMap::inject(0), bad({.target = 1, .reserved = 1}),
         TLM_GENERIC_ERROR_RESPONSE},
        {"no kind", TLM_WRITE_COMMAND, MemoryMap::inject(0), kind(static_cast<PacketKind>(4), 1),
         TLM_GENERIC_ERROR_RESPONSE},
        {"no port", TLM_WRITE_COMMAND, MemoryMap::inject(0), kind(PacketKind::explicit_mask, 0),
         TLM_GENERIC_ERROR_RESPONSE},
        {"no link", TLM_WRITE_COMMAND, MemoryMap::inject(0), kind(PacketKind::explicit_mask, 4),
         TLM_GENERIC_ERROR_RESPONSE},
        {"no table", TLM_WRITE_COMMAND, MemoryMap::inject(0), kind(PacketKind::table, 1),
         TLM_GENERIC_ERROR_RESPONSE},
        {"in a cycle", TLM_WRITE_COMMAND, MemoryMap::inject(0), kind(PacketKind::table, 0),
         TLM_GENERIC_ERROR_RESPONSE},
        {"deposit nowhere", TLM_WRITE_COMMAND, MemoryMap::inject(0), kind(PacketKind::deposit, 1),
         TLM_GENERIC_ERROR_RESPONSE}};
}

TEST(TlmNetwork, RefusesWhatIsWrong) {
    alone([] {
        // Slot 0 leads from node 0 to 1 and back, for ever.
        TlmNetworkOptions options = options_of();
        options.tables = {{1}, {2}, {}};
        Platform platform("mesh:3", options);
        Processor& processor = platform.processor(0, [](Processor& p) {
            for (Wrong& wrong : wrong_transactions()) {
                tlm::tlm_generic_payload payload;
                fill(payload, wrong.command, wrong.address, wrong.bytes);
                if (wrong.byte_enables) payload.set_byte_enable_ptr(wrong.bytes.data());
                payload.set_streaming_width(wrong.streaming_width);
                p.local = cycle();
                p.socket->b_transport(payload, p.local);
                EXPECT_EQ(payload.get_response_status(), wrong.response) << wrong.what;
                EXPECT_EQ(p.local, cycle()) << wrong.what;
                // Without blocking the answer is the same, and there at once.
                tlm::tlm_phase phase = tlm::BEGIN_REQ;
                payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
                EXPECT_EQ(p.socket->nb_transport_fw(payload, phase, p.local), tlm::TLM_COMPLETED)
                    << wrong.what;
                EXPECT_EQ(payload.get_response_status(), wrong.response) << wrong.what;
            }
        });
        sc_start();
        EXPECT_EQ(platform.network.in_flight(), 0U);
        tlm::tlm_generic_payload payload;
        tlm::tlm_dmi dmi;
        EXPECT_FALSE(processor.socket->get_direct_mem_ptr(payload, dmi));
        EXPECT_EQ(processor.socket->transport_dbg(payload), 0U);
    });
}

// A packet that finds too little room stays, for the next who reads.
TEST(TlmNetwork, WhatDoesNotFitStays) {
    alone([] {
        Platform platform("mesh:3", options_of());
        platform.processor(0, [](Processor& p) { p.send(to(1), Bytes(9, 77)); });
        platform.processor(1, [](Processor& p) {
            for (const std::uint64_t address : {MemoryMap::receive, MemoryMap::poll}) {
                Bytes bytes(40);
                EXPECT_EQ(p.transport(tlm::TLM_READ_COMMAND, address, bytes), tlm::TLM_BURST_ERROR_RESPONSE);
            }
            EXPECT_EQ(p.receive().payload, Bytes(9, 77));
        });
        sc_start();
    });
}

TEST(TlmNetwork, RefusesOptionsThatDoNotFit) {
    alone([] {
        TlmNetworkOptions options = options_of();
        options.cycle = sc_time::from_value(1);
        EXPECT_THROW(Platform("mesh:3", options, "fast"), InputError);
        options = options_of();
        options.tables.resize(2);
        EXPECT_THROW(Platform("mesh:3", options, "tables"), InputError);
        options = options_of();
        options.node.routing = Routing::adaptive_bubble;
        options.node.vcs = 1;
        EXPECT_THROW(Platform("torus:3", options, "adaptive"), InputError);
    });
}

/// What a processor of random traffic saw: its own times, and what it read.
using Log = std::vector<std::string>;

std::string line_of(const sc_time& time, const Incoming& in) {
    std::string line = std::to_string(time.value());
    for (const std::uint64_t value :
         {std::uint64_t{in.header.valid}, std::uint64_t{in.header.queue}, std::uint64_t{in.header.source},
          std::uint64_t{in.header.tag}, in.header.injected, in.header.taken})
        line += ' ' + std::to_string(value);
    return line;
}

Bytes random_payload(std::uint32_t source, std::uint32_t tag) {
    Bytes payload(random_bits(1, source, tag) % 241);
    for (std::size_t i = 0; i < payload.size(); ++i)
        payload[i] = static_cast<unsigned char>(random_bits(source, tag, i));
    return payload;
}

/// Sends packets to nodes at random, looks now and then whether something has come, and in the end waits for
/// the rest of what is for it.
struct RandomProgram {
    std::uint32_t node, nodes, queues, packets;

    std::uint32_t target(std::uint32_t source, std::uint32_t tag) const {
        const auto other = static_cast<std::uint32_t>(random_bits(2, source, tag) % (nodes - 1));
        return other < source ? other : other + 1;
    }
    std::uint32_t expected() const {
        std::uint32_t count = 0;
        for (std::uint32_t source = 0; source < nodes; ++source)
            for (std::uint32_t tag = 0; source != node && tag < packets; ++tag)
                count += target(source, tag) == node ? 1 : 0;
        return count;
    }
    void run(Processor& p, Log& log) const {
        std::uint32_t missing = expected();
        const auto look = [&](std::uint64_t address) {
            const Incoming in = p.receive(address);
            log.push_back(line_of(p.now(), in));
            if (in.header.valid == 0) return;
            EXPECT_EQ(in.payload, random_payload(in.header.source, in.header.tag));
            EXPECT_EQ(target(in.header.source, in.header.tag), node);
            --missing;
        };
        for (std::uint32_t tag = 0; tag < packets; ++tag) {
            p.pass(cycles(static_cast<double>(random_bits(3, node, tag) % 400) / 10));
            EXPECT_EQ(p.send(to(target(node, tag), tag), random_payload(node, tag),
                             static_cast<std::uint32_t>(random_bits(4, node, tag) % queues)),
                      tlm::TLM_OK_RESPONSE);
            log.push_back(std::to_string(p.now().value()));
            if (tag % 3 == 0) look(MemoryMap::poll);
        }
        while (missing > 0) look(MemoryMap::receive);
        look(MemoryMap::poll);
    }
};

struct RandomPlatform {
    RandomPlatform(const std::string& network, const TlmNetworkOptions& options, double quantum,
                   const std::string& name)
        : platform(network, options, name) {
        const Fabric& fabric = platform.network.fabric();
        logs.resize(fabric.nodes);
        for (std::uint32_t v = 0; v < fabric.nodes; ++v)
            platform.processor(
                v,
                [program = RandomProgram{v, fabric.nodes, fabric.injections, 40},
                 &log = logs[v]](Processor& p) { program.run(p, log); },
                cycles(quantum));
    }
    Platform platform;
    std::vector<Log> logs;
};

TlmNetworkOptions random_options(Routing routing) {
    NodeParameters node = routing == Routing::adaptive_bubble ? node_parameters("bgl") : NodeParameters{};
    node.routing = routing;
    node.injection_depth = 8;
    return options_of(node, {.cycles_per_flit = 2, .latency = 3});
}

/// Every other node is RTL, where that is built.
std::vector<Machine::Part> in_halves(const Fabric& fabric, const PortTables* tables) {
    std::vector<Machine::Part> parts(2);
    for (std::uint32_t v = 0; v < fabric.nodes; ++v) parts[v % 2].nodes.emplace_back(v);
    parts[0].region = native_region(fabric, parts[0].nodes, tables);
#ifdef INTERLACE_RTL
    parts[1].region = verilated_region(fabric, parts[1].nodes, tables);
#else
    parts[1].region = native_region(fabric, parts[1].nodes, tables);
#endif
    return parts;
}

// Every packet arrives once and as it was, and every processor sees the same at the same times, whatever the
// quantum and the parts, whether or not idle cycles are skipped.
TEST(TlmNetwork, RandomTrafficArrivesAndDoesNotDependOnTheQuantum) {
    const std::pair<const char*, Routing> networks[] = {{"torus:4x4", Routing::dimension_order},
                                                        {"torus:4x4", Routing::adaptive_bubble},
                                                        {"ibt:8x8:b=4", Routing::table}};
    for (const auto& [network, routing] : networks)
        alone([&, network = network, routing = routing] {
            const TlmNetworkOptions options = random_options(routing);
            RandomPlatform exact(network, options, 0, "exact");
            RandomPlatform some(network, options, 7.7, "some");
            RandomPlatform more(network, options, 1000, "more");
            TlmNetworkOptions halves = options;
            halves.parts = in_halves;
            halves.threads = 2;
            RandomPlatform watched(network, halves, 100, "watched");
            std::uint64_t seen = 0;
            watched.platform.network.machine().observe([&](auto, const auto&, const auto&) { ++seen; });
            sc_start(cycles(20'000));
            EXPECT_EQ(seen, 20'000U);
            for (const RandomPlatform* other : {&exact, &some, &more, &watched}) {
                EXPECT_EQ(other->platform.network.in_flight(), 0U);
                EXPECT_EQ(other->logs, exact.logs);
            }
            std::size_t lines = 0;
            for (const Log& log : exact.logs) lines += log.size();
            EXPECT_GT(lines, exact.logs.size() * 80);
        });
}

/// A machine of native nodes.
std::unique_ptr<Machine> native_machine(const Fabric& fabric, const PortTables* tables = nullptr) {
    std::vector<Machine::Part> parts(1);
    for (std::uint32_t v = 0; v < fabric.nodes; ++v) parts[0].nodes.emplace_back(v);
    parts[0].region = native_region(fabric, parts[0].nodes, tables);
    return std::make_unique<Machine>(fabric, std::move(parts));
}

/// What hosts took: cycle, node, queue and packet.
using Taken = std::vector<std::array<std::uint64_t, 5>>;
void note(Taken& taken, std::uint64_t cycle, const RegionOutputs& outputs) {
    for (const Reception& r : outputs.receptions)
        taken.push_back({cycle, r.node, r.queue, r.packet.header, r.packet.identity});
}

// A machine of its own, driven by hand with the flits of a platform's run, gives the same packets in the same
// cycles, and the hosts keep to their credits.
TEST(TlmNetwork, IsTheMachineThatItWraps) {
    alone([] {
        RandomPlatform platform("torus:4x4", random_options(Routing::adaptive_bubble), 50, "network");
        std::map<std::uint64_t, RegionInputs> hosts;
        Taken taken;
        platform.platform.network.machine().observe(
            [&](std::uint64_t cycle, const RegionInputs& inputs, const RegionOutputs& outputs) {
                if (!inputs.injections.empty()) hosts[cycle] = inputs;
                note(taken, cycle, outputs);
            },
            false);
        sc_start();
        const Fabric& fabric = platform.platform.network.fabric();
        const auto machine = native_machine(fabric);
        std::vector<std::uint32_t> credits(std::size_t{fabric.nodes} * fabric.injections,
                                           fabric.parameters.injection_depth);
        std::vector<Credit> shown;
        Taken expected;
        RegionOutputs outputs;
        for (std::uint64_t cycle = 0; cycle < taken.back()[0] + 1; ++cycle) {
            for (const LinkFlit& flit : hosts[cycle].injections)
                EXPECT_GT(credits[flit.node * fabric.injections + flit.port]--, 0U);
            for (const Credit& credit : shown)
                credits[credit.node * fabric.injections + credit.port] += credit.amount;
            machine->tick(hosts[cycle], outputs);
            shown = outputs.injection_credits;
            note(expected, cycle, outputs);
        }
        EXPECT_EQ(taken.size(), 16U * 40);
        EXPECT_EQ(taken, expected);
    });
}

/// Packets that do not wait at their senders: each node makes one in every 100 cycles.
std::vector<TracePacket> sparse_trace(std::uint32_t nodes) {
    std::vector<TracePacket> trace;
    for (std::uint64_t round = 0; round < 50; ++round)
        for (std::uint32_t from = 0; from < nodes; ++from) {
            const std::uint64_t random = random_bits(9, from, round);
            const auto to = static_cast<std::uint32_t>((from + 1 + random % (nodes - 1)) % nodes);
            trace.push_back({round * 100 + (random >> 32U) % 90, from, to,
                             1 + static_cast<std::uint32_t>((random >> 40U) % 8)});
        }
    std::sort(trace.begin(), trace.end(),
              [](const TracePacket& a, const TracePacket& b) { return a.cycle < b.cycle; });
    return trace;
}

// The same packets by the harness's ideal hosts, which take injection queues in turn.
TEST(TlmNetwork, IsAsFastAsIdealHosts) {
    for (const char* network : {"mesh:4x4", "torus:5x5"})
        alone([network] {
            Platform platform(network, options_of());
            const Fabric& fabric = platform.network.fabric();
            const auto trace = sparse_trace(fabric.nodes);
            const TrafficResult ideal = run_trace(fabric, *native_machine(fabric), trace);
            for (std::uint32_t v = 0; v < fabric.nodes; ++v)
                platform.processor(
                    v,
                    [&, v](Processor& p) {
                        std::uint32_t turn = 0;
                        for (const TracePacket& packet : trace) {
                            if (packet.from != v) continue;
                            p.go_to(packet.cycle * cycle());
                            p.send(to(packet.to), payload_of(packet.flits), turn);
                            turn = (turn + 1) % fabric.ports;
                        }
                    },
                    cycles(30));
            std::uint64_t last = 0;
            platform.network.machine().observe(
                [&](std::uint64_t cycle, const RegionInputs&, const RegionOutputs& outputs) {
                    if (!outputs.receptions.empty()) last = cycle + 1;
                },
                false);
            sc_start();
            EXPECT_EQ(ideal.cycles, last);
            EXPECT_EQ(ideal.packets, trace.size());
            double sum = 0;
            std::uint64_t most = 0;
            std::size_t count = 0;
            // What nobody reads stays.
            sc_core::sc_spawn([&] {
                for (std::uint32_t v = 0; v < fabric.nodes; ++v)
                    for (;;) {
                        const Incoming in = platform.processors[v]->receive(MemoryMap::poll);
                        if (in.header.valid == 0) break;
                        const std::uint64_t latency = in.header.taken - in.header.injected;
                        sum += static_cast<double>(latency);
                        most = std::max(most, latency);
                        ++count;
                    }
            });
            sc_start();
            EXPECT_EQ(count, trace.size());
            EXPECT_EQ(most, ideal.latency_max);
            EXPECT_DOUBLE_EQ(sum / static_cast<double>(count), ideal.latency_mean);
        });
}

// The same sends and reads, one after the other, by either interface.
TEST(TlmNetwork, BlockingAndNonBlockingTransactionsTakeTheSame) {
    std::vector<std::uint32_t> flits{1, 8, 3, 8, 8, 2};
    alone([&] {
        Platform loose("torus:4x4", slow_links(), "loose");
        Platform exact("torus:4x4", slow_links(), "exact");
        std::vector<sc_time> sent[2], read[2];
        loose.processor(0, [&](Processor& p) {
            for (const std::uint32_t f : flits) {
                p.send(to(10), payload_of(f));
                sent[0].push_back(p.now());
            }
        });
        exact.engine(0, [&](Engine& e) {
            for (const std::uint32_t f : flits) {
                auto& transaction = e.write(to(10), payload_of(f));
                e.finish(transaction);
                sent[1].push_back(transaction.responded);
            }
        });
        loose.processor(10, [&](Processor& p) {
            for (std::size_t i = 0; i < flits.size(); ++i) {
                p.receive();
                read[0].push_back(p.now());
            }
            EXPECT_EQ(p.receive(MemoryMap::poll).header.valid, 0);
        });
        exact.engine(10, [&](Engine& e) {
            for (std::size_t i = 0; i < flits.size(); ++i) {
                auto& transaction = e.read(MemoryMap::receive);
                e.finish(transaction);
                read[1].push_back(transaction.responded);
                EXPECT_EQ(transaction.get_response_status(), tlm::TLM_OK_RESPONSE);
            }
            auto& none = e.read(MemoryMap::poll);
            e.finish(none);
            EXPECT_EQ(none.bytes[0], 0);
            auto& nodes = e.read(MemoryMap::nodes, 4);
            e.finish(nodes);
            EXPECT_EQ(nodes.bytes[0], 16);
            EXPECT_EQ(nodes.responded, sc_time_stamp());
        });
        sc_start();
        EXPECT_EQ(sent[0].size(), flits.size());
        EXPECT_EQ(read[0].size(), flits.size());
        EXPECT_EQ(sent[0], sent[1]);
        EXPECT_EQ(read[0], read[1]);
    });
}

// A transaction with a delay is at its own time, without blocking, too: the head is in cycle 6.
TEST(TlmNetwork, ANonBlockingTransactionIsAtItsOwnTime) {
    alone([] {
        Platform platform("mesh:3", options_of());
        platform.engine(0, [](Engine& e) {
            auto& write =
                e.request(tlm::TLM_WRITE_COMMAND, MemoryMap::inject(0), bytes_of(to(1), {}), cycles(5.5));
            EXPECT_EQ(write.request_ended, cycles(5.5));
            e.finish(write);
            EXPECT_EQ(write.responded, cycles(7));
        });
        platform.engine(1, [](Engine& e) {
            auto& read = e.read(MemoryMap::receive);
            e.finish(read);
            EXPECT_EQ(read.responded, cycles(6 + 4 + 1));
        });
        sc_start();
    });
}

// One packet to both neighbours; one that each node of a line takes; one by a table to all nodes of a line.
TEST(TlmNetwork, OnePacketMayGoToSeveralNodes) {
    alone([] {
        TlmNetworkOptions options = options_of();
        const Network network = make_network("mesh:4");
        const Fabric fabric(network, NodeParameters{});
        // By the port that leads to the next node, and into the node.
        const auto port_to = [&](std::uint32_t from, std::uint32_t node) {
            std::uint32_t port = 0;
            while (fabric.to(from, port).node != node) ++port;
            return 1U << port;
        };
        const std::uint32_t here = 1U << fabric.ports;
        options.tables = {{port_to(0, 1)}, {port_to(1, 2) | here}, {port_to(2, 3)}, {here}};
        Platform platform("mesh:4", options);
        std::map<std::uint32_t, std::vector<std::uint32_t>> tags;
        platform.processor(0, [&](Processor& p) {
            p.pass(cycles(100));
            p.send({.target = 2,
                    .kind = PacketKind::deposit,
                    .ports = static_cast<std::uint16_t>(port_to(0, 1)),
                    .tag = 1},
                   {5});
            p.pass(cycles(100));
            p.send({.target = 0, .kind = PacketKind::table, .tag = 2}, {6});
            tags[0].push_back(p.receive().header.tag);
        });
        platform.processor(1, [&](Processor& p) {
            p.send({.target = port_to(1, 0) | port_to(1, 2), .kind = PacketKind::explicit_mask, .tag = 3},
                   {7});
            for (int i = 0; i < 2; ++i) tags[1].push_back(p.receive().header.tag);
        });
        for (const std::uint32_t node : {2U, 3U})
            platform.processor(node, [&, node](Processor& p) {
                for (std::uint32_t i = 0; i < 4 - node; ++i) {
                    const Incoming in = p.receive();
                    EXPECT_EQ(in.payload,
                              Bytes{static_cast<unsigned char>(in.header.tag == 3 ? 7 : 4 + in.header.tag)});
                    tags[node].push_back(in.header.tag);
                }
            });
        sc_start();
        EXPECT_THAT(tags[0], ElementsAre(3));
        EXPECT_THAT(tags[1], ElementsAre(1, 2));
        EXPECT_THAT(tags[2], ElementsAre(3, 1));
        EXPECT_THAT(tags[3], ElementsAre(2));
        EXPECT_EQ(platform.network.in_flight(), 0U);
    });
}

/// Sends a packet of one flit to node 1 as soon as it can, from a method: credits are there, so nothing
/// waits.
struct Sender : sc_core::sc_module {
    SC_HAS_PROCESS(Sender);
    explicit Sender(const sc_core::sc_module_name& name) : sc_module(name) { SC_METHOD(send); }
    void send() {
        Bytes bytes = bytes_of(to(1), {});
        tlm::tlm_generic_payload payload;
        fill(payload, tlm::TLM_WRITE_COMMAND, MemoryMap::inject(0), bytes);
        sc_time delay;
        socket->b_transport(payload, delay);
        EXPECT_EQ(delay, cycle());
    }
    tlm_utils::simple_initiator_socket<Sender> socket;
};

// What ends a run on nodes ends the simulation, with the same sentence. (No thread of SystemC: the address
// sanitizer takes an exception that passes by one's stack for an overflow.)
TEST(TlmNetwork, AFaultEndsTheSimulation) {
    alone([] {
        Platform platform("mesh:3", options_of());
        platform.network.machine().observe(
            [](std::uint64_t cycle, const auto&, const auto&) {
                if (cycle == 2) throw FellShort("node 1, cycle 2: a fault");
            },
            false);
        Sender sender("sender");
        sender.socket.bind(platform.network.socket[0]);
        try {
            sc_start();
            ADD_FAILURE();
        } catch (const sc_core::sc_report& report) {
            EXPECT_THAT(report.what(), testing::HasSubstr("node 1, cycle 2: a fault"));
        }
    });
}

// A second between two packets, a hundred million cycles, is not computed.
TEST(TlmNetwork, IdleCyclesAreSkipped) {
    alone([] {
        Platform platform("torus:4x4", options_of());
        std::uint64_t computed = 0;
        platform.network.machine().observe([&](auto, const auto&, const auto&) { ++computed; }, false);
        platform.processor(0, [](Processor& p) {
            p.send(to(1), {});
            p.pass(sc_time(1, sc_core::SC_SEC));
            p.send(to(1), {});
        });
        std::vector<std::uint64_t> taken;
        platform.processor(1, [&](Processor& p) {
            for (int i = 0; i < 2; ++i) taken.push_back(p.receive().header.taken);
        });
        sc_start();
        EXPECT_THAT(taken, ElementsAre(4, 100'000'001 + 4));
        EXPECT_LT(computed, 20U);
    });
}

}  // namespace
}  // namespace interlace
