// Interlace: a network as a TLM-2.0 target of a SystemC platform
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/tlm/tlm_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <string>

#include "agenda.h"
#include "interlace/core/error.h"
#include "interlace/engine/native/native.h"
#include "interlace/engine/routing/routing_tables.h"
#include "parcels.h"
#include "platform_hosts.h"

namespace interlace {
namespace {

using sc_core::sc_event;
using sc_core::sc_time;
using sc_core::sc_time_stamp;
using sc_core::SC_ZERO_TIME;
using ::tlm::tlm_phase;
using ::tlm::tlm_response_status;
using ::tlm::tlm_sync_enum;
using Payload = TlmNetwork::Payload;

/// Packets of non-blocking transactions that an injection queue takes before it holds back END_REQ: the one
/// that is being written, and the next, so that there is no gap.
constexpr std::size_t places = 2;

/// Of reports about initiators that break the base protocol.
constexpr const char* protocol = "/interlace/tlm/protocol";

std::vector<Machine::Part> native_parts(const Fabric& fabric, const PortTables* tables) {
    std::vector<Machine::Part> parts(1);
    for (std::uint32_t v = 0; v < fabric.nodes; ++v) parts[0].nodes.emplace_back(v);
    parts[0].region = native_region(fabric, parts[0].nodes, tables);
    return parts;
}

std::vector<Machine::Part> make_parts(const TlmNetworkOptions& options, const Fabric& fabric,
                                      const PortTables* tables) {
    return options.parts ? options.parts(fabric, tables) : native_parts(fabric, tables);
}

PortTables make_tables(const Network& network, const Fabric& fabric, const PortTables& given) {
    if (!given.empty() && given.size() != fabric.nodes)
        throw InputError(fmt::format("cannot use tables of {} nodes", given.size()),
                         fmt::format("{}", fabric.nodes));
    return given.empty() && fabric.routes_by_table() ? routing_tables(network, fabric).ports : given;
}

/// Units of the kernel's time resolution in a cycle.
std::uint64_t units_of(const sc_time& cycle) {
    if (cycle.value() < 2)
        throw InputError("cannot use a cycle of " + cycle.to_string(),
                         "two units of the time resolution at least");
    return cycle.value();
}

}  // namespace

/// What a transaction asks for.
struct TlmNetwork::Access {
    enum class Kind : std::uint8_t { none, send, receive, poll, value } kind = Kind::none;
    std::uint32_t queue = 0;  // of send
};

/// A transaction that waits for a packet.
struct TlmNetwork::Reader {
    Payload* payload;
    sc_time from;
    std::function<void(const sc_time&)> done;  // ends at that time, not past
};

/// A non-blocking transaction that sends a packet.
struct TlmNetwork::Send {
    Payload* payload;
    Packet packet;
    std::uint32_t queue;  // node * injections + queue
    sc_time from;
};

/// A packet that can be read from a time on.
struct TlmNetwork::Arrived {
    sc_time from;
    IncomingHeader header;
    std::vector<unsigned char> payload;
};

/// One node's.
struct TlmNetwork::Host {
    std::deque<Arrived> arrived;
    std::deque<Reader> readers;
    std::optional<Send> held_back;   // END_REQ has to come
    std::deque<Payload*> responses;  // BEGIN_RESP has to come
    bool responding = false;         // END_RESP has to come
    std::uint32_t waiting = 0;       // packets, at the kernel's time
    std::uint32_t in_memory = 0;     // packets, when the coming cycle begins
    bool ready = true;
    sc_event arrival;
};

/// Cycle c is computed in its middle. So what is transacted when it begins, in whichever delta cycle, is in
/// time for it, and what comes of it is known before it ends, which is when it counts.
struct TlmNetwork::State {
    State(TlmNetwork& owner, const Network& network, const TlmNetworkOptions& options)
        : module(owner),
          units(units_of(options.cycle)),
          memory_packets(options.memory_packets),
          fabric(network, options.node, options.links),
          tables(make_tables(network, fabric, options.tables)),
          machine(fabric, make_parts(options, fabric, tables_or_none()), options.threads),
          parcels(fabric, tables_or_none()),
          writers(fabric,
                  {[this](const Packet& packet, std::uint64_t cycle) { parcels.injected(packet, cycle); },
                   [this](std::uint32_t queue, std::uint64_t cycle) { admit(queue, cycle); }}),
          hosts(fabric.nodes) {}

    const PortTables* tables_or_none() const { return tables.empty() ? nullptr : &tables; }

    // Time
    sc_time start_of(std::uint64_t cycle) const { return sc_time::from_value(units * cycle); }
    std::uint64_t first_cycle_from(const sc_time& time) const { return (time.value() + units - 1) / units; }
    void schedule();
    void tick();

    // Packets
    PlatformHosts::Posted& post(std::uint32_t queue, const Packet& packet, const sc_time& from);
    void settle_memory(RegionInputs& inputs);
    void take(const Reception& reception, std::uint64_t cycle);
    void came(std::uint32_t node);
    void match(std::uint32_t node);
    bool deliver(std::uint32_t node, Payload& payload, const sc_time& time);
    void show(std::uint32_t node) { module.received[node].write(hosts[node].waiting > 0); }

    // Transactions
    Access access_at(std::uint64_t address) const;
    tlm_response_status refusal(const Payload& payload, const Access& access) const;
    Access accept(Payload& payload) const;
    std::optional<Packet> make_packet(std::uint32_t node, Payload& payload);
    bool has_packet(std::uint32_t node, const sc_time& time) const;
    void poll(std::uint32_t node, Payload& payload, const sc_time& time);
    void read_value(std::uint32_t node, Payload& payload) const;

    // ... that block
    void send(std::uint32_t queue, const Packet& packet, sc_time& delay);
    void receive(std::uint32_t node, Payload& payload, sc_time& delay);
    void look(std::uint32_t node, Access::Kind kind, Payload& payload, sc_time& delay);

    // ... that do not
    tlm_sync_enum begin(std::uint32_t node, Payload& payload, tlm_phase& phase, const sc_time& from);
    tlm_sync_enum begin_send(std::uint32_t node, const Send& send, tlm_phase& phase);
    void begin_read(std::uint32_t node, Access::Kind kind, Payload& payload, const sc_time& from);
    void start(std::uint32_t node, const Send& send);
    void admit(std::uint32_t queue, std::uint64_t cycle);
    void respond(std::uint32_t node, Payload& payload, const sc_time& time);
    void send_response(std::uint32_t node);
    void end_response(std::uint32_t node, const sc_time& delay);

    TlmNetwork& module;
    std::uint64_t units;  // of time in a cycle
    std::uint32_t memory_packets;
    Fabric fabric;
    PortTables tables;
    Machine machine;
    Parcels parcels;
    PlatformHosts writers;
    std::vector<Host> hosts;
    std::vector<std::uint32_t> unsettled;  // nodes whose memory changed
    Agenda agenda;
    sc_event clock{"clock"};
    RegionInputs inputs;
    RegionOutputs outputs;
    std::uint64_t next = 0;        // cycle
    std::uint64_t idle_until = 0;  // the machine, unless something is written
};

/// The cycle that comes next is the first in which anything can happen.
void TlmNetwork::State::schedule() {
    const std::uint64_t cycle = std::min(idle_until, writers.busy_from(next));
    if (cycle == UINT64_MAX) return;
    clock.notify(start_of(cycle) + sc_time::from_value(units / 2) - sc_time_stamp());
}

void TlmNetwork::State::tick() {
    const std::uint64_t cycle = sc_time_stamp().value() / units;
    machine.skip(cycle - next);
    next = cycle;
    inputs.clear();
    settle_memory(inputs);
    writers.drive(cycle, inputs);
    machine.tick(inputs, outputs);
    writers.receive(outputs);
    for (const Reception& reception : outputs.receptions) take(reception, cycle);
    ++next;
    const std::uint64_t idle = machine.idle();
    idle_until = idle == UINT64_MAX ? idle : next + idle;
    schedule();
}

PlatformHosts::Posted& TlmNetwork::State::post(std::uint32_t queue, const Packet& packet,
                                               const sc_time& from) {
    auto& posted = writers.post(queue, packet, first_cycle_from(from));
    schedule();
    return posted;
}

/// Hosts stop to take, or take again.
void TlmNetwork::State::settle_memory(RegionInputs& shown) {
    for (const std::uint32_t node : unsettled) {
        const bool ready = hosts[node].in_memory < memory_packets;
        if (ready == hosts[node].ready) continue;
        hosts[node].ready = ready;
        for (std::uint32_t queue = 0; queue < fabric.receptions; ++queue)
            shown.ready.push_back({node, static_cast<std::uint8_t>(queue), ready});
    }
    unsettled.clear();
}

void TlmNetwork::State::take(const Reception& reception, std::uint64_t cycle) {
    const std::uint32_t node = reception.node;
    Parcel parcel = parcels.take(reception.packet);
    const IncomingHeader header{.valid = 1,
                                .queue = reception.queue,
                                .source = reception.packet.source(),
                                .tag = parcel.tag,
                                .bytes = static_cast<std::uint32_t>(parcel.payload.size()),
                                .injected = parcel.injected,
                                .taken = cycle};
    const sc_time from = start_of(cycle + 1);
    hosts[node].arrived.push_back({from, header, std::move(parcel.payload)});
    if (memory_packets > 0) {
        ++hosts[node].in_memory;
        unsettled.push_back(node);
    }
    agenda.at(from, [this, node] { came(node); });
    match(node);
}

void TlmNetwork::State::came(std::uint32_t node) {
    ++hosts[node].waiting;
    show(node);
    hosts[node].arrival.notify(SC_ZERO_TIME);
}

/// Who waits longest gets what came first.
void TlmNetwork::State::match(std::uint32_t node) {
    Host& host = hosts[node];
    while (!host.readers.empty() && !host.arrived.empty()) {
        const Reader reader = std::move(host.readers.front());
        host.readers.pop_front();
        const sc_time time = std::max(reader.from, host.arrived.front().from);
        deliver(node, *reader.payload, time);
        reader.done(time);
    }
}

/// The oldest packet is read at `time`; it stays where there is too little room for it.
bool TlmNetwork::State::deliver(std::uint32_t node, Payload& payload, const sc_time& time) {
    Host& host = hosts[node];
    const Arrived& packet = host.arrived.front();
    if (payload.get_data_length() < sizeof packet.header + packet.payload.size()) {
        payload.set_response_status(::tlm::TLM_BURST_ERROR_RESPONSE);
        return false;
    }
    std::memcpy(payload.get_data_ptr(), &packet.header, sizeof packet.header);
    std::copy(packet.payload.begin(), packet.payload.end(), payload.get_data_ptr() + sizeof packet.header);
    payload.set_response_status(::tlm::TLM_OK_RESPONSE);
    host.arrived.pop_front();
    agenda.at(time, [this, node] {
        --hosts[node].waiting;
        show(node);
    });
    if (memory_packets > 0)
        agenda.at(start_of(first_cycle_from(time)), [this, node] {
            --hosts[node].in_memory;
            unsettled.push_back(node);
        });
    return true;
}

TlmNetwork::Access TlmNetwork::State::access_at(std::uint64_t address) const {
    using Kind = Access::Kind;
    for (std::uint32_t queue = 0; queue < fabric.injections; ++queue)
        if (address == MemoryMap::inject(queue)) return {Kind::send, queue};
    switch (address) {
        case MemoryMap::receive:
            return {Kind::receive};
        case MemoryMap::poll:
            return {Kind::poll};
        case MemoryMap::node:
        case MemoryMap::nodes:
        case MemoryMap::injections:
        case MemoryMap::largest_payload:
        case MemoryMap::waiting:
            return {Kind::value};
        default:
            return {};
    }
}

/// What is wrong with a transaction, in this order; TLM_OK_RESPONSE for nothing.
tlm_response_status TlmNetwork::State::refusal(const Payload& payload, const Access& access) const {
    const bool send = access.kind == Access::Kind::send;
    const std::uint32_t length = payload.get_data_length();
    const std::uint32_t least = send                                 ? sizeof(OutgoingHeader)
                                : access.kind == Access::Kind::value ? sizeof(std::uint32_t)
                                                                     : sizeof(IncomingHeader);
    const std::uint32_t most = send                                 ? least + parcels.largest_payload()
                               : access.kind == Access::Kind::value ? least
                                                                    : UINT32_MAX;
    if (access.kind == Access::Kind::none) return ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (send ? !payload.is_write() : !payload.is_read()) return ::tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (payload.get_byte_enable_ptr() != nullptr) return ::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (length < least || length > most || payload.get_streaming_width() < length)
        return ::tlm::TLM_BURST_ERROR_RESPONSE;
    return payload.get_data_ptr() == nullptr ? ::tlm::TLM_GENERIC_ERROR_RESPONSE : ::tlm::TLM_OK_RESPONSE;
}

/// What the transaction asks for; none, and the response is an error, where that is nothing.
TlmNetwork::Access TlmNetwork::State::accept(Payload& payload) const {
    const Access access = access_at(payload.get_address());
    const tlm_response_status status = refusal(payload, access);
    if (status == ::tlm::TLM_OK_RESPONSE) return access;
    payload.set_response_status(status);
    return {};
}

/// What the transaction writes. None, and the response is an error, where the network cannot carry it.
std::optional<Packet> TlmNetwork::State::make_packet(std::uint32_t node, Payload& payload) {
    const auto packet =
        parcels.make(NodeId{node}, std::span(payload.get_data_ptr(), payload.get_data_length()));
    payload.set_response_status(packet ? ::tlm::TLM_OK_RESPONSE : ::tlm::TLM_GENERIC_ERROR_RESPONSE);
    return packet;
}

bool TlmNetwork::State::has_packet(std::uint32_t node, const sc_time& time) const {
    const Host& host = hosts[node];
    return host.readers.empty() && !host.arrived.empty() && host.arrived.front().from <= time;
}

void TlmNetwork::State::poll(std::uint32_t node, Payload& payload, const sc_time& time) {
    if (has_packet(node, time)) {
        deliver(node, payload, time);
        return;
    }
    std::memset(payload.get_data_ptr(), 0, sizeof(IncomingHeader));
    payload.set_response_status(::tlm::TLM_OK_RESPONSE);
}

void TlmNetwork::State::read_value(std::uint32_t node, Payload& payload) const {
    const auto& arrived = hosts[node].arrived;
    std::uint32_t value = 0;
    switch (payload.get_address()) {
        case MemoryMap::node:
            value = node;
            break;
        case MemoryMap::nodes:
            value = fabric.nodes;
            break;
        case MemoryMap::injections:
            value = fabric.injections;
            break;
        case MemoryMap::largest_payload:
            value = parcels.largest_payload();
            break;
        default:
            value = static_cast<std::uint32_t>(
                std::count_if(arrived.begin(), arrived.end(),
                              [](const Arrived& packet) { return packet.from <= sc_time_stamp(); }));
    }
    std::memcpy(payload.get_data_ptr(), &value, sizeof value);
    payload.set_response_status(::tlm::TLM_OK_RESPONSE);
}

/// The caller goes on at once, ahead of the kernel, where the credits that are there say when the packet will
/// have been written.
void TlmNetwork::State::send(std::uint32_t queue, const Packet& packet, sc_time& delay) {
    auto& posted = post(queue, packet, sc_time_stamp() + delay);
    if (const auto end = writers.end(queue, next)) {
        delay = start_of(*end) - sc_time_stamp();
        return;
    }
    sc_event written;
    posted.written = [&](std::uint64_t cycle) { written.notify(start_of(cycle + 1) - sc_time_stamp()); };
    sc_core::wait(written);
    delay = SC_ZERO_TIME;
}

/// As send(): a packet that is known to come is read ahead of the kernel.
void TlmNetwork::State::receive(std::uint32_t node, Payload& payload, sc_time& delay) {
    sc_event read;
    std::optional<sc_time> end;
    hosts[node].readers.push_back({&payload, sc_time_stamp() + delay, [&](const sc_time& time) {
                                       end = time;
                                       read.notify(time - sc_time_stamp());
                                   }});
    match(node);
    if (!end) sc_core::wait(read);
    delay = *end - sc_time_stamp();
}

/// What may come until then is known then.
void TlmNetwork::State::look(std::uint32_t node, Access::Kind kind, Payload& payload, sc_time& delay) {
    if (kind == Access::Kind::value || !has_packet(node, sc_time_stamp() + delay)) {
        sc_core::wait(delay);
        delay = SC_ZERO_TIME;
    }
    if (kind == Access::Kind::value)
        read_value(node, payload);
    else
        poll(node, payload, sc_time_stamp() + delay);
}

tlm_sync_enum TlmNetwork::State::begin(std::uint32_t node, Payload& payload, tlm_phase& phase,
                                       const sc_time& from) {
    if (hosts[node].held_back) SC_REPORT_ERROR(protocol, "BEGIN_REQ before the END_REQ of another");
    const Access access = accept(payload);
    if (access.kind == Access::Kind::none) return ::tlm::TLM_COMPLETED;
    if (access.kind != Access::Kind::send) {
        if (payload.has_mm()) payload.acquire();
        begin_read(node, access.kind, payload, from);
        phase = ::tlm::END_REQ;
        return ::tlm::TLM_UPDATED;
    }
    const auto packet = make_packet(node, payload);
    if (!packet) return ::tlm::TLM_COMPLETED;
    if (payload.has_mm()) payload.acquire();
    return begin_send(node, {&payload, *packet, node * fabric.injections + access.queue, from}, phase);
}

tlm_sync_enum TlmNetwork::State::begin_send(std::uint32_t node, const Send& send, tlm_phase& phase) {
    if (writers.posted(send.queue) >= places) {
        hosts[node].held_back = send;
        return ::tlm::TLM_ACCEPTED;
    }
    start(node, send);
    phase = ::tlm::END_REQ;
    return ::tlm::TLM_UPDATED;
}

void TlmNetwork::State::begin_read(std::uint32_t node, Access::Kind kind, Payload& payload,
                                   const sc_time& from) {
    if (kind == Access::Kind::receive) {
        hosts[node].readers.push_back(
            {&payload, from, [this, node, &payload](const sc_time& time) { respond(node, payload, time); }});
        match(node);
        return;
    }
    agenda.at(from, [this, node, kind, &payload] {
        if (kind == Access::Kind::value)
            read_value(node, payload);
        else
            poll(node, payload, sc_time_stamp());
        respond(node, payload, sc_time_stamp());
    });
}

void TlmNetwork::State::start(std::uint32_t node, const Send& send) {
    post(send.queue, send.packet, send.from).written = [this, node,
                                                        payload = send.payload](std::uint64_t cycle) {
        respond(node, *payload, start_of(cycle + 1));
    };
}

/// A packet of the queue has been written: whose turn is held back takes its place when the cycle ends.
void TlmNetwork::State::admit(std::uint32_t queue, std::uint64_t cycle) {
    const std::uint32_t node = queue / fabric.injections;
    auto& held_back = hosts[node].held_back;
    if (!held_back || held_back->queue != queue || writers.posted(queue) >= places) return;
    Send send = *held_back;
    held_back.reset();
    send.from = std::max(send.from, start_of(cycle + 1));
    start(node, send);
    agenda.at(send.from, [this, node, payload = send.payload] {
        tlm_phase phase = ::tlm::END_REQ;
        sc_time delay = SC_ZERO_TIME;
        module.socket[node]->nb_transport_bw(*payload, phase, delay);
    });
}

/// The transaction ends at `time`, or when the response before it has ended.
void TlmNetwork::State::respond(std::uint32_t node, Payload& payload, const sc_time& time) {
    agenda.at(time, [this, node, &payload] {
        hosts[node].responses.push_back(&payload);
        send_response(node);
    });
}

void TlmNetwork::State::send_response(std::uint32_t node) {
    Host& host = hosts[node];
    if (host.responding || host.responses.empty()) return;
    host.responding = true;
    tlm_phase phase = ::tlm::BEGIN_RESP;
    sc_time delay = SC_ZERO_TIME;
    const auto status = module.socket[node]->nb_transport_bw(*host.responses.front(), phase, delay);
    if (status == ::tlm::TLM_COMPLETED || (status == ::tlm::TLM_UPDATED && phase == ::tlm::END_RESP))
        end_response(node, delay);
}

void TlmNetwork::State::end_response(std::uint32_t node, const sc_time& delay) {
    if (!hosts[node].responding) SC_REPORT_ERROR(protocol, "END_RESP without a BEGIN_RESP");
    agenda.at(sc_time_stamp() + delay, [this, node] {
        Host& host = hosts[node];
        Payload* const payload = host.responses.front();
        host.responses.pop_front();
        host.responding = false;
        if (payload->has_mm()) payload->release();
        send_response(node);
    });
}

TlmNetwork::TlmNetwork(const sc_core::sc_module_name& name, const Network& network,
                       const TlmNetworkOptions& options)
    : sc_module(name),
      socket("socket", network.node_count()),
      received("received", network.node_count()),
      state_(std::make_unique<State>(*this, network, options)) {
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        socket[v].register_b_transport(this, &TlmNetwork::b_transport, static_cast<int>(v));
        socket[v].register_nb_transport_fw(this, &TlmNetwork::nb_transport_fw, static_cast<int>(v));
    }
    const auto on = [](const sc_event& event, const char* process, auto action) {
        sc_core::sc_spawn_options method;
        method.spawn_method();
        method.dont_initialize();
        method.set_sensitivity(&event);
        sc_core::sc_spawn(action, process, &method);
    };
    on(state_->clock, "tick", [state = state_.get()] { state->tick(); });
    on(state_->agenda.event(), "act", [state = state_.get()] { state->agenda.run(); });
}

TlmNetwork::~TlmNetwork() = default;

void TlmNetwork::start_of_simulation() {
    state_->idle_until = state_->machine.idle();
    state_->schedule();
}

void TlmNetwork::b_transport(int node, Payload& payload, sc_time& delay) {
    const auto v = static_cast<std::uint32_t>(node);
    const Access access = state_->accept(payload);
    if (access.kind == Access::Kind::none) return;
    if (access.kind == Access::Kind::receive) return state_->receive(v, payload, delay);
    if (access.kind != Access::Kind::send) return state_->look(v, access.kind, payload, delay);
    if (const auto packet = state_->make_packet(v, payload))
        state_->send(v * fabric().injections + access.queue, *packet, delay);
}

tlm_sync_enum TlmNetwork::nb_transport_fw(int node, Payload& payload, tlm_phase& phase, sc_time& delay) {
    const auto v = static_cast<std::uint32_t>(node);
    if (phase == ::tlm::BEGIN_REQ) return state_->begin(v, payload, phase, sc_time_stamp() + delay);
    if (phase != ::tlm::END_RESP) return ::tlm::TLM_ACCEPTED;
    state_->end_response(v, delay);
    return ::tlm::TLM_COMPLETED;
}

const sc_event& TlmNetwork::arrival(NodeId node) const {
    return state_->hosts[node].arrival;
}
const Fabric& TlmNetwork::fabric() const {
    return state_->fabric;
}
Machine& TlmNetwork::machine() {
    return state_->machine;
}
sc_time TlmNetwork::cycle() const {
    return state_->start_of(1);
}
std::size_t TlmNetwork::in_flight() const {
    return state_->parcels.in_flight();
}

}  // namespace interlace
