// Interlace: numbers, sizes and pins as bytes (docs/hil-protocol.md, sections 3 and 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "interlace/engine/pins/detail/pins.h"

namespace interlace {
namespace {

using detail::amount_bits;
using detail::count_bits;
using detail::get;
using detail::set;
using detail::vc_bits;

constexpr std::uint32_t max_device_nodes = 65536;  // of a device
constexpr std::uint32_t max_silent_cycles = 1'000'000;

// Kinds of items in a record.
enum ItemKind : std::uint8_t {
    end = 0,
    link_flit = 1,
    credit = 2,
    host_flit = 3,
    host_credit = 4,    // of output pins
    offered_flits = 4,  // of input pins
    offered_flit = 5
};

// Bits of the first byte of an input record.
constexpr std::uint32_t reset_bit = 1, enable_bit = 2, write_bit = 4, read_bit = 8;

void put_flit(Writer& out, const RawFlit& flit) {
    out.u8(flit.ends);
    out.u64(flit.word[0]);
    out.u64(flit.word[1]);
}

RawFlit get_flit(Reader& in) {
    const std::uint64_t ends = in.below(4, "marks of a flit");
    const std::uint64_t low = in.u64();
    return {{low, in.u64()}, ends};
}

template <class Visit>
void each_bit(std::uint32_t mask, const Visit& visit) {
    for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint32_t>(__builtin_ctz(mask)));
}

void put_link_flit(Writer& out, std::uint32_t port, std::uint64_t vc, const RawFlit& flit) {
    out.u8(link_flit);
    out.u8(port);
    out.u8(vc);
    put_flit(out, flit);
}

void put_credit(Writer& out, std::uint32_t port, std::uint32_t vc, std::uint8_t amount) {
    out.u8(credit);
    out.u8(port);
    out.u8(vc);
    out.u8(amount);
}

/// In pieces, as their lengths have two bytes.
void put_offer(Writer& out, const Offer& offer) {
    for (std::size_t first = 0; first < offer.flits.size(); first += UINT16_MAX) {
        const std::size_t count = std::min<std::size_t>(offer.flits.size() - first, UINT16_MAX);
        out.u8(offered_flits);
        out.u8(offer.queue);
        out.u16(count);
        for (std::size_t i = 0; i < count; ++i) put_flit(out, offer.flits[first + i]);
    }
}

/// Flits on links and credits, which both sides have.
template <class Flits>
void put_links(Writer& out, std::uint32_t valid, std::uint32_t vcs, const Flits& flits,
               const PinImage::Credits& credits) {
    each_bit(valid, [&](std::uint32_t port) {
        put_link_flit(out, port, get(vcs, port * vc_bits, vc_bits), detail::get_flit(flits, port));
    });
    detail::each_amount(credits, PinImage::ports * PinImage::vcs, [&](std::uint32_t i, std::uint8_t amount) {
        put_credit(out, i / PinImage::vcs, i % PinImage::vcs, amount);
    });
}

void once(bool first, const char* what, std::uint32_t which) {
    if (!first) throw WireError(fmt::format("two {} {} in a record", what, which));
}

template <class Flits>
void get_link_flit(Reader& in, const NodeSizes& built, std::uint32_t& valid, std::uint32_t& vcs,
                   Flits& flits) {
    const std::uint32_t port = in.below(built.ports, "port");
    once((valid >> port & 1U) == 0, "flits on port", port);
    valid |= 1U << port;
    // Which channel a flit names is the node's to judge.
    set(vcs, port * vc_bits, vc_bits, in.below(1U << vc_bits, "channel"));
    detail::set_flit(flits, port, get_flit(in));
}

Offer get_offer(Reader& in, const NodeSizes& built, std::uint32_t node) {
    Offer offer{node, static_cast<std::uint8_t>(in.below(built.injections, "injection queue")), {}};
    for (std::uint32_t left = in.u16(); left > 0; --left) offer.flits.push_back(get_flit(in));
    return offer;
}

void get_credit(Reader& in, const NodeSizes& built, PinImage::Credits& credits) {
    const std::uint32_t port = in.below(built.ports, "port");
    const std::uint32_t vc = in.below(built.vcs, "channel");
    const std::uint32_t low = (port * PinImage::vcs + vc) * amount_bits;
    once(get(credits, low, amount_bits) == 0, "credits of port", port);
    set(credits, low, amount_bits, in.below(1U << amount_bits, "credits"));
}

void put(Writer& out, const NodeSizes& sizes) {
    for (const std::uint32_t size :
         {sizes.ports, sizes.vcs, sizes.injections, sizes.receptions, sizes.flit_bits, sizes.vc_depth,
          sizes.injection_depth, sizes.reception_depth, sizes.slots, sizes.pipeline})
        out.u32(size);
}

NodeSizes get_sizes(Reader& in) {
    NodeSizes sizes;
    for (std::uint32_t* size :
         {&sizes.ports, &sizes.vcs, &sizes.injections, &sizes.receptions, &sizes.flit_bits, &sizes.vc_depth,
          &sizes.injection_depth, &sizes.reception_depth, &sizes.slots, &sizes.pipeline})
        *size = in.u32();
    return sizes;
}

std::uint32_t get_node(Reader& in, const std::vector<PinImage>& pins) {
    return in.below32(static_cast<std::uint32_t>(pins.size()), "node");
}

}  // namespace

void Writer::text(const std::string& text) {
    const std::size_t length = std::min<std::size_t>(text.size(), UINT16_MAX);
    u16(length);
    bytes_.insert(bytes_.end(), text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length));
}

void Reader::ends_too_soon() const {
    throw WireError(fmt::format("a truncated payload of {} bytes", bytes_.size()));
}

void Reader::is_not_below(std::uint32_t value, std::size_t bytes, std::uint32_t limit,
                          const char* what) const {
    throw WireError(
        fmt::format("byte {} of a payload: {} {}, expected below {}", at_ - bytes, what, value, limit));
}

std::string Reader::text() {
    std::string text(u16(), '\0');
    for (char& letter : text) letter = static_cast<char>(u8());
    return text;
}

void Reader::finish() const {
    if (at_ != bytes_.size())
        throw WireError(
            fmt::format("{} bytes of a payload of {} are too many", bytes_.size() - at_, bytes_.size()));
}

Bytes encode(const Hello& hello) {
    Bytes payload;
    Writer out(payload);
    out.u64(hello.session);
    put(out, hello.request.needed);
    out.u32(hello.request.nodes.size());
    for (const std::uint32_t node : hello.request.nodes) out.u32(node);
    out.u16(hello.request.settings.size());
    for (const auto& [address, value] : hello.request.settings) {
        out.u16(address);
        out.u32(value);
    }
    out.u8(hello.request.kinds);
    return payload;
}

Hello decode_hello(const Bytes& payload) {
    Reader in(payload);
    Hello hello;
    hello.session = in.u64();
    hello.request.needed = get_sizes(in);
    hello.request.nodes.resize(in.below32(max_device_nodes + 1, "nodes"));
    for (std::uint32_t& node : hello.request.nodes) node = in.u32();
    hello.request.settings.resize(in.u16());
    for (auto& [address, value] : hello.request.settings) {
        address = in.u16();
        value = in.u32();
    }
    hello.request.kinds = static_cast<std::uint8_t>(in.below(16, "kinds of packets"));
    in.finish();
    return hello;
}

Bytes encode(const Welcome& welcome) {
    Bytes payload;
    Writer out(payload);
    out.u32(welcome.hello_crc);
    put(out, welcome.sizes);
    out.u32(welcome.silent_cycles);
    out.u32(welcome.features);
    out.u32(welcome.max_payload);
    return payload;
}

Welcome decode_welcome(const Bytes& payload) {
    Reader in(payload);
    Welcome welcome;
    welcome.hello_crc = in.u32();
    welcome.sizes = get_sizes(in);
    welcome.silent_cycles = in.below32(max_silent_cycles + 1, "silent cycles");
    welcome.features = in.below32(8, "features");
    welcome.max_payload = in.u32();
    in.finish();
    return welcome;
}

void put_inputs(Writer& out, std::uint32_t node, const PinImage& pins) {
    const bool configures = (pins.cfg_valid_i | pins.cfg_read_i) != 0;
    out.u32(node);
    out.u8((pins.rst_ni != 0 ? reset_bit : 0) | (pins.clk_en_i != 0 ? enable_bit : 0) |
           (pins.cfg_valid_i != 0 ? write_bit : 0) | (pins.cfg_read_i != 0 ? read_bit : 0));
    if (configures) {
        out.u16(pins.cfg_addr_i);
        out.u32(pins.cfg_data_i);
    }
    out.u32(pins.rx_ready_i);
    put_links(out, pins.link_valid_i, pins.link_vc_i, pins.link_flit_i, pins.credit_i);
    each_bit(pins.inj_valid_i, [&](std::uint32_t queue) {
        out.u8(host_flit);
        out.u8(queue);
        put_flit(out, detail::get_flit(pins.inj_flit_i, queue));
    });
    out.u8(end);
}

std::uint32_t get_inputs(Reader& in, const NodeSizes& built, std::vector<PinImage>& pins,
                         std::vector<Offer>* offers) {
    const std::uint32_t node = get_node(in, pins);
    PinImage& image = pins[node];
    const std::uint32_t flags = in.below(16, "flags");
    image.rst_ni = (flags & reset_bit) != 0 ? 1 : 0;
    image.clk_en_i = (flags & enable_bit) != 0 ? 1 : 0;
    image.cfg_valid_i = (flags & write_bit) != 0 ? 1 : 0;
    image.cfg_read_i = (flags & read_bit) != 0 ? 1 : 0;
    const bool configures = (flags & (write_bit | read_bit)) != 0;
    image.cfg_addr_i = configures ? in.u16() : 0;
    image.cfg_data_i = configures ? in.u32() : 0;
    image.rx_ready_i = in.below32(1U << built.receptions, "rx_ready_i");
    image.link_valid_i = image.inj_valid_i = 0;
    image.credit_i = {};
    for (std::uint8_t item = in.u8(); item != end; item = in.u8()) {
        if (item == link_flit) {
            get_link_flit(in, built, image.link_valid_i, image.link_vc_i, image.link_flit_i);
        } else if (item == credit) {
            get_credit(in, built, image.credit_i);
        } else if (item == host_flit) {
            const std::uint32_t queue = in.below(built.injections, "injection queue");
            once((image.inj_valid_i >> queue & 1U) == 0, "flits for injection queue", queue);
            image.inj_valid_i |= 1U << queue;
            detail::set_flit(image.inj_flit_i, queue, get_flit(in));
        } else if (item == offered_flits && offers != nullptr) {
            offers->push_back(get_offer(in, built, node));
        } else {
            throw WireError(fmt::format("an input pin of kind {}, expected 1 to {}", item,
                                        offers != nullptr ? +offered_flits : +host_flit));
        }
    }
    return node;
}

void put_outputs(Writer& out, std::uint32_t node, const PinImage& pins, std::uint32_t taken) {
    out.u32(node);
    out.u8(pins.status_o);
    out.u32(pins.stall_o);
    out.u32(pins.cfg_data_o);
    put_links(out, pins.link_valid_o, pins.link_vc_o, pins.link_flit_o, pins.credit_o);
    detail::each_amount(pins.inj_credit_o, PinImage::injections,
                        [&](std::uint32_t queue, std::uint8_t amount) {
                            out.u8(host_credit);
                            out.u8(queue);
                            out.u8(amount);
                        });
    for (std::uint32_t queue = 0; queue < PinImage::receptions; ++queue) {
        const std::uint64_t flits = get(pins.rx_count_o, queue * count_bits, count_bits);
        const bool valid = (pins.rx_valid_o >> queue & 1U) != 0;
        if (!valid && flits == 0) continue;
        out.u8(host_flit);
        out.u8(queue);
        out.u8(valid ? 1 : 0);
        out.u16(flits);
        put_flit(out, detail::get_flit(pins.rx_flit_o, queue));
    }
    each_bit(taken, [&](std::uint32_t queue) {
        out.u8(offered_flit);
        out.u8(queue);
    });
    out.u8(end);
}

void clear_outputs(PinImage& pins) {
    pins.status_o = pins.stall_o = pins.cfg_data_o = 0;
    pins.link_valid_o = pins.link_vc_o = pins.rx_valid_o = 0;
    pins.link_flit_o = {};
    pins.credit_o = {};
    pins.inj_credit_o = {};
    pins.rx_flit_o = {};
    pins.rx_count_o = {};
}

bool show_anything(const PinImage& pins) {
    return (pins.link_valid_o | pins.rx_valid_o | pins.stall_o | pins.status_o | pins.cfg_data_o) != 0 ||
           pins.credit_o != decltype(pins.credit_o){} || pins.inj_credit_o != decltype(pins.inj_credit_o){} ||
           pins.rx_count_o != decltype(pins.rx_count_o){};
}

void silence_inputs(PinImage& pins) {
    pins.link_valid_i = pins.inj_valid_i = 0;
    pins.credit_i = {};
}

std::uint32_t get_outputs(Reader& in, const NodeSizes& built, std::vector<PinImage>& pins,
                          std::vector<std::uint32_t>* taken) {
    const std::uint32_t node = get_node(in, pins);
    PinImage& image = pins[node];
    clear_outputs(image);
    image.status_o = in.below(1U << detail::status_bits, "status");
    image.stall_o = in.u32();
    if (std::uint64_t{image.stall_o} >> (built.ports + built.receptions) != 0)
        throw WireError(fmt::format("stall_o {:#x} of node {}, which has {} ports and {} reception queues",
                                    image.stall_o, node, built.ports, built.receptions));
    image.cfg_data_o = in.u32();
    std::uint32_t seen = 0;  // reception queues
    for (std::uint8_t item = in.u8(); item != end; item = in.u8()) {
        if (item == link_flit) {
            get_link_flit(in, built, image.link_valid_o, image.link_vc_o, image.link_flit_o);
        } else if (item == credit) {
            get_credit(in, built, image.credit_o);
        } else if (item == host_credit) {
            const std::uint32_t queue = in.below(built.injections, "injection queue");
            once(get(image.inj_credit_o, queue * amount_bits, amount_bits) == 0, "credits of injection queue",
                 queue);
            set(image.inj_credit_o, queue * amount_bits, amount_bits, in.below(1U << amount_bits, "credits"));
        } else if (item == host_flit) {
            const std::uint32_t queue = in.below(built.receptions, "reception queue");
            once(((seen >> queue) & 1U) == 0, "items of reception queue", queue);
            seen |= 1U << queue;
            image.rx_valid_o |= in.below(2, "rx_valid_o") << queue;
            set(image.rx_count_o, queue * count_bits, count_bits, in.u16());
            detail::set_flit(image.rx_flit_o, queue, get_flit(in));
        } else if (item == offered_flit && taken != nullptr) {
            (*taken)[node] |= 1U << in.below(built.injections, "injection queue");
        } else {
            throw WireError(fmt::format("an output pin of kind {}, expected 1 to {}", item,
                                        taken != nullptr ? +offered_flit : +host_credit));
        }
    }
    return node;
}

void CycleWriter::put(Writer& out, const Arrivals& arrivals, const std::vector<std::uint32_t>& rx_ready) {
    first_.resize(rx_ready.size(), none);
    last_.resize(rx_ready.size());
    items_.clear();
    named_.clear();
    list(arrivals.flits);
    list(arrivals.credits);
    list(arrivals.offers);
    out.u32(named_.size() | all_nodes);
    for (const std::uint32_t node : named_) {
        out.u32(node);
        out.u8(reset_bit | enable_bit);
        out.u32(rx_ready[node]);
        of_node_.clear();
        for (std::uint32_t i = std::exchange(first_[node], none); i != none; i = items_[i].next)
            of_node_.push_back(items_[i]);
        std::sort(of_node_.begin(), of_node_.end(), [](const Item& a, const Item& b) {
            return std::tie(a.kind, a.port, a.vc, a.place) < std::tie(b.kind, b.port, b.vc, b.place);
        });
        for (const Item& item : of_node_) put_item(out, arrivals, item);
        out.u8(end);
    }
}

CycleWriter::Item CycleWriter::item_of(const RawLinkFlit& flit) {
    return {link_flit, flit.port, flit.vc, 0, none};
}
CycleWriter::Item CycleWriter::item_of(const Credit& freed) {
    return {credit, freed.port, freed.vc, 0, none};
}
CycleWriter::Item CycleWriter::item_of(const Offer& offer) {
    return {offered_flits, offer.queue, 0, 0, none};
}

template <class Arrived>
void CycleWriter::list(const std::vector<Arrived>& arrived) {
    for (std::uint32_t i = 0; i < arrived.size(); ++i) {
        const std::uint32_t node = arrived[i].node;
        const auto item = static_cast<std::uint32_t>(items_.size());
        if (first_[node] == none) named_.push_back(node);
        (first_[node] == none ? first_[node] : items_[last_[node]].next) = item;
        last_[node] = item;
        items_.push_back(item_of(arrived[i]));
        items_.back().place = i;
    }
}

void CycleWriter::put_item(Writer& out, const Arrivals& arrivals, const Item& item) {
    if (item.kind == link_flit) {
        const RawLinkFlit& flit = arrivals.flits[item.place];
        put_link_flit(out, flit.port, flit.vc, flit.flit);
    } else if (item.kind == credit) {
        const Credit& freed = arrivals.credits[item.place];
        put_credit(out, freed.port, freed.vc, freed.amount);
    } else {
        put_offer(out, arrivals.offers[item.place]);
    }
}

}  // namespace interlace
