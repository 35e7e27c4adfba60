// Interlace: the addresses of generated routines, for counts far beyond 2^31 bytes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for MPI, one rank after another: nothing is sent and no buffer exists. What a routine hands to
// MPI is broken down to runs of elements; each has to lie within a buffer, and to be the block that MPI's
// definition of the collective names: block i of a buffer begins i * count * extent bytes from its address.
// Large memory is an address that no processor has, so that whoever looks there is stopped. Sums are in 128
// bits.
#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "headers.h"

struct stand_in_type {
    MPI_Aint size, extent, first, true_extent;  // bytes; `first`: of the data, from the address of an element
    MPI_Datatype of = nullptr;                  // if it is made of another type:
    int count = 0;                              // as many in a row, at each of:
    std::vector<MPI_Aint> places = {};
};

namespace {

using Wide = __int128;
const stand_in_type byte_type{1, 1, 0, 1};

[[noreturn]] void fail(const std::string& what);

/// `count` elements in a row.
struct Run {
    Wide address;
    Wide count;
    MPI_Datatype type;
    Wide bytes() const { return count * type->size; }
};

/// [low, high) of what elements reach over.
std::pair<Wide, Wide> reach_of(const Run& run) {
    const Wide last = run.count > 0 ? (run.count - 1) * run.type->extent : 0;
    const Wide low = run.address + run.type->first;
    return {low + std::min<Wide>(last, 0), low + run.type->true_extent + std::max<Wide>(last, 0)};
}

std::vector<Run> runs_of(Wide address, Wide count, MPI_Datatype type) {
    if (type->of == nullptr) return count > 0 ? std::vector{Run{address, count, type}} : std::vector<Run>{};
    if (count != 1) fail("more than one of a type that is made of others");
    std::vector<Run> runs;
    for (const MPI_Aint place : type->places)
        for (const Run& run : runs_of(address + place, type->count, type->of)) runs.push_back(run);
    return runs;
}

struct Operation {
    std::vector<Run> runs;
    bool sends;
};

/// One rank's call.
struct Call {
    int rank = 0, machines = 0;
    bool by_packets = false;  ///< bytes to one partner follow one another: only their places are kept
    std::map<std::tuple<int, int, int>, Operation> operations;  ///< by sender, receiver and tag
    std::vector<std::pair<Run, Run>> copies, packed, unpacked;  ///< from, to
    std::map<std::pair<int, bool>, std::pair<Wide, Wide>>
        bytes;  ///< first and end address, by partner and sends
    int reported = MPI_SUCCESS;
    std::map<int, void*> attributes;
} call;
stand_in_free_attribute* free_own;  ///< of the routine

struct Region {
    Wide low, high;
};
std::map<const void*, Region> memory;  ///< by its address
std::string doing;                     ///< for messages
constexpr MPI_Aint nowhere = MPI_Aint{1} << 56;
MPI_Aint next_address = nowhere;

void fail(const std::string& what) {
    std::fprintf(stderr, "%s, rank %d: %s\n", doing.c_str(), call.rank, what.c_str());
    std::_Exit(1);
}

const void* reserve(Wide bytes) {
    const auto* const address = reinterpret_cast<const void*>(next_address);
    memory[address] = {next_address, next_address + bytes};
    const Wide next = next_address + bytes + 4096;
    if (next > Wide{1} << 62) fail("a test of too many bytes");
    next_address = static_cast<MPI_Aint>(next) / 4096 * 4096;
    return address;
}

/// The memory that a run lies in, wholly.
const void* memory_of(const Run& run) {
    const auto [low, high] = reach_of(run);
    for (const auto& [address, region] : memory)
        if (region.low <= low && high <= region.high) return address;
    fail("elements outside of every buffer");
}

Run byte_run(const void* address, int bytes) {
    return {reinterpret_cast<MPI_Aint>(address), bytes, &byte_type};
}

int record(bool sends, const void* buffer, int count, MPI_Datatype type, int peer, int tag,
           MPI_Request* request) {
    *request = 1;
    if (count < 0) return MPI_ERR_COUNT;
    const std::vector<Run> runs = runs_of(reinterpret_cast<MPI_Aint>(buffer), count, type);
    for (const Run& run : runs) memory_of(run);
    if (call.by_packets) {
        const Wide address = runs.at(0).address;
        auto [at, first] = call.bytes.try_emplace({peer, sends}, address, address);
        if (!first && at->second.second != address) fail("packets that do not follow one another");
        at->second.second += runs.at(0).bytes();
        return MPI_SUCCESS;
    }
    const auto key = sends ? std::tuple(call.rank, peer, tag) : std::tuple(peer, call.rank, tag);
    if (!call.operations.try_emplace(key, Operation{runs, sends}).second) fail("two messages of one tag");
    return MPI_SUCCESS;
}

stand_in_type made_of(MPI_Datatype of, int count, std::vector<MPI_Aint> places) {
    stand_in_type type{0, 0, 0, 0, of, count, std::move(places)};
    return type;
}

}  // namespace

// The stand-in. Types are never freed: there are few.
extern "C" {
const MPI_Datatype stand_in_byte = &byte_type;

void* stand_in_malloc(std::size_t bytes) {
    void* const address =
        bytes < (1U << 24U) ? std::malloc(bytes) : const_cast<void*>(reserve(static_cast<Wide>(bytes)));
    const auto low = reinterpret_cast<MPI_Aint>(address);
    memory[address] = {low, low + static_cast<Wide>(bytes)};
    return address;
}
void stand_in_free(void* address) {
    memory.erase(address);
    if (reinterpret_cast<MPI_Aint>(address) < nowhere) std::free(address);
}

int MPI_Comm_call_errhandler(MPI_Comm, int error) {
    return call.reported = error, MPI_SUCCESS;
}
int MPI_Comm_create_keyval(int, stand_in_free_attribute* free_attribute, int* key, void*) {
    static int last = 0;
    free_own = free_attribute;
    return *key = ++last, MPI_SUCCESS;
}
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* own) {
    return *own = comm + 1, MPI_SUCCESS;
}
int MPI_Comm_free(MPI_Comm*) {
    return MPI_SUCCESS;
}
int MPI_Comm_get_attr(MPI_Comm, int key, void* value, int* found) {
    const auto at = call.attributes.find(key);
    *found = at != call.attributes.end() ? 1 : 0;
    if (*found != 0) *static_cast<void**>(value) = at->second;
    return MPI_SUCCESS;
}
int MPI_Comm_rank(MPI_Comm, int* rank) {
    return *rank = call.rank, MPI_SUCCESS;
}
int MPI_Comm_set_attr(MPI_Comm, int key, void* value) {
    return call.attributes[key] = value, MPI_SUCCESS;
}
int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler) {
    return MPI_SUCCESS;
}
int MPI_Comm_size(MPI_Comm, int* size) {
    return *size = call.machines, MPI_SUCCESS;
}
int MPI_Comm_test_inter(MPI_Comm, int* between_groups) {
    return *between_groups = 0, MPI_SUCCESS;
}
int MPI_Ibarrier(MPI_Comm, MPI_Request* request) {
    return *request = 1, MPI_SUCCESS;
}
int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm, MPI_Request* request) {
    return record(false, buffer, count, type, peer, tag, request);
}
int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm,
              MPI_Request* request) {
    return record(true, buffer, count, type, peer, tag, request);
}
int MPI_Sendrecv(const void* from, int from_count, MPI_Datatype from_type, int, int, void* to, int to_count,
                 MPI_Datatype to_type, int, int, MPI_Comm, MPI_Status*) {
    const Run a{reinterpret_cast<MPI_Aint>(from), from_count, from_type};
    const Run b{reinterpret_cast<MPI_Aint>(to), to_count, to_type};
    if (a.bytes() != b.bytes()) return MPI_ERR_TRUNCATE;
    memory_of(a), memory_of(b);
    return call.copies.emplace_back(a, b), MPI_SUCCESS;
}
int MPI_Pack(const void* from, int count, MPI_Datatype type, void* to, int room, int* position, MPI_Comm) {
    const Run run{reinterpret_cast<MPI_Aint>(from), count, type};
    if (*position + run.bytes() > room) return MPI_ERR_TRUNCATE;
    memory_of(run), memory_of(byte_run(to, room));
    call.packed.emplace_back(run, byte_run(to, room));
    return *position += static_cast<int>(run.bytes()), MPI_SUCCESS;
}
int MPI_Unpack(const void* from, int room, int* position, void* to, int count, MPI_Datatype type, MPI_Comm) {
    const Run run{reinterpret_cast<MPI_Aint>(to), count, type};
    if (*position + run.bytes() > room) return MPI_ERR_TRUNCATE;
    memory_of(run), memory_of(byte_run(from, room));
    call.unpacked.emplace_back(byte_run(from, room), run);
    return *position += static_cast<int>(run.bytes()), MPI_SUCCESS;
}
int MPI_Type_commit(MPI_Datatype*) {
    return MPI_SUCCESS;
}
int MPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype* type) {
    return *type = new stand_in_type(made_of(of, count, {0})), MPI_SUCCESS;
}
int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint places[], MPI_Datatype of,
                                   MPI_Datatype* type) {
    return *type = new stand_in_type(made_of(of, length, {places, places + count})), MPI_SUCCESS;
}
int MPI_Type_free(MPI_Datatype*) {
    return MPI_SUCCESS;
}
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) {
    return *lower = type->first, *extent = type->extent, MPI_SUCCESS;
}
int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint* first, MPI_Aint* extent) {
    return *first = type->first, *extent = type->true_extent, MPI_SUCCESS;
}
int MPI_Type_size(MPI_Datatype type, int* size) {
    return *size = type->size > INT_MAX ? -32766 : static_cast<int>(type->size), MPI_SUCCESS;
}
int MPI_Waitany(int count, MPI_Request requests[], int* which, MPI_Status*) {
    *which = static_cast<int>(std::find(requests, requests + count, 1) - requests);
    return requests[*which] = MPI_REQUEST_NULL, MPI_SUCCESS;
}
int MPI_Waitsome(int count, MPI_Request requests[], int* done, int which[], MPI_Status[]) {
    for (int i = 0; i < count; ++i) requests[i] = MPI_REQUEST_NULL, which[i] = i;
    return *done = count, MPI_SUCCESS;
}
}

namespace {

using Gathering = int(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
using Broadcasting = int(void*, int, MPI_Datatype, int, MPI_Comm);

/// A user's buffer: `blocks` of `count` elements.
struct Buffer {
    Wide address = 0;
    int count = 0;
    MPI_Datatype type = nullptr;
    const void* pointer() const { return reinterpret_cast<const void*>(static_cast<MPI_Aint>(address)); }
    Run block(Wide number) const { return {address + number * count * type->extent, count, type}; }
};

bool same(const Run& a, const Run& b) {
    return a.address == b.address && a.count == b.count && a.type == b.type;
}

Buffer make_buffer(int blocks, int count, MPI_Datatype type) {
    const auto [low, high] = reach_of({0, Wide{blocks} * count, type});
    const void* const start = reserve(high - low);
    return {reinterpret_cast<MPI_Aint>(start) - low, count, type};
}

/// One rank's call of a routine, and the buffers it was given.
struct Run1 {
    Call call;
    Buffer from, to;
};

Buffer kept_aside(const Call& c, const Buffer& to) {
    if (c.copies.empty()) fail("in place, and nothing is kept aside");
    const Buffer kept{c.copies[0].second.address, to.count, to.type};
    for (int i = 0; i < c.machines; ++i)
        if (!same(c.copies.at(i).first, to.block(i)) || !same(c.copies.at(i).second, kept.block(i)))
            fail("something else is kept aside than block " + std::to_string(i));
    return kept;
}

/// The number of the block that a run is.
int block_of(const Run& run, const Buffer& buffer, int blocks) {
    for (int i = 0; i < blocks; ++i)
        if (same(run, buffer.block(i))) return i;
    return -1;
}

enum class Kind { gather, exchange, broadcast };

/// What each rank's operations say, put together: every block comes from where it is to where it belongs,
/// once.
void match(const std::vector<Run1>& ranks, Kind kind, int root) {
    const int machines = static_cast<int>(ranks.size());
    const int blocks = kind == Kind::broadcast ? 1 : machines;
    std::vector<std::vector<int>> got(ranks.size(), std::vector<int>(static_cast<std::size_t>(machines)));
    for (const Run1& sender : ranks)
        for (const auto& [key, sent] : sender.call.operations) {
            if (!sent.sends) continue;
            const auto [from, to, tag] = key;
            const Run1& receiver = ranks.at(static_cast<std::size_t>(to));
            const auto at = receiver.call.operations.find(key);
            if (at == receiver.call.operations.end()) fail("a message that nobody receives");
            const Operation& received = at->second;
            if (sent.runs.size() != received.runs.size()) fail("other blocks are received than sent");
            for (std::size_t i = 0; i < sent.runs.size(); ++i) {
                if (sent.runs[i].bytes() != received.runs[i].bytes())
                    fail("another length is received than sent");
                const int a = block_of(sent.runs[i], sender.from, blocks);
                const int b = block_of(received.runs[i], receiver.to, blocks);
                if (a < 0) fail("what is sent is no block");
                if (b < 0) continue;  // a dummy, which lies in memory of its own (memory_of)
                if (kind == Kind::exchange ? a != to || b != from : a != b)
                    fail("another block is received than sent");
                ++got[static_cast<std::size_t>(to)]
                     [static_cast<std::size_t>(kind == Kind::exchange ? from : b)];
            }
        }
    for (int i = 0; i < machines; ++i)
        for (int b = 0; b < blocks; ++b) {
            const bool own = kind == Kind::broadcast ? i == root : i == b;
            if (got[static_cast<std::size_t>(i)][static_cast<std::size_t>(b)] != (own ? 0 : 1))
                fail("a block does not come once");
        }
}

/// Packets: the bytes of each block lie in a row, in the order of machines.
void match_packets(const Run1& run) {
    const Call& c = run.call;
    const Wide bytes = run.to.block(0).bytes();
    const Wide out = c.packed.at(0).second.address, in = out + c.machines * bytes;
    const auto check = [&](const std::vector<std::pair<Run, Run>>& pieces, bool packs) {
        Wide elements = 0;  // so far
        const Buffer& buffer = packs ? run.from : run.to;
        for (const auto& [from, to] : pieces) {
            const Run& part = packs ? from : to;
            const Wide block = elements / buffer.count, start = !packs && block != c.rank ? in : out;
            if (part.address != buffer.address + elements * buffer.type->extent ||
                (packs ? to : from).address != start + elements * buffer.type->size)
                fail("bytes of another place");
            elements += part.count;
        }
        if (elements != Wide{c.machines} * buffer.count) fail("not all bytes");
    };
    check(c.packed, true);
    check(c.unpacked, false);
    for (int peer = 0; peer < c.machines; ++peer)
        for (const bool sends : {false, true}) {
            if (peer == c.rank) continue;
            const Wide start = (sends ? out : in) + peer * bytes;
            const auto at = c.bytes.find({peer, sends});
            if (at == c.bytes.end() || at->second != std::pair(start, start + bytes))
                fail("not the packets of a block");
        }
}

Run1 begin(int rank, int machines, bool by_packets) {
    memory.clear();
    next_address = nowhere;
    call = {};
    call.rank = rank;
    call.machines = machines;
    call.by_packets = by_packets;
    return {};
}

void finish(int error) {
    if (error != MPI_SUCCESS || call.reported != error) fail("error " + std::to_string(error));
    for (const auto& [key, value] : call.attributes) free_own(MPI_COMM_WORLD, key, value, nullptr);
}

struct Shape {
    const char* name;
    MPI_Datatype type;
};

const stand_in_type number{4, 4, 0, 4}, column{12, 4, -8, MPI_Aint{1} << 36U},
    wide{1U << 20U, 1U << 21U, 64, 1U << 20U}, backwards{8, -16, 4, 8};
const Shape shapes[] = {
    {"byte", &byte_type}, {"int", &number}, {"column", &column}, {"wide", &wide}, {"backwards", &backwards}};
constexpr int counts[] = {1, 5, 1 << 26, INT_MAX};

template <typename Function>
void for_each_shape(const std::string& name, Function function) {
    for (const Shape& shape : shapes)
        for (const int count : counts)
            for (const bool in_place : {false, true}) {
                doing =
                    name + ", " + std::to_string(count) + " of " + shape.name + (in_place ? " in place" : "");
                function(shape.type, count, in_place);
            }
}

void test(const std::string& name, Gathering* routine, Kind kind, int machines) {
    for_each_shape(name, [&](MPI_Datatype type, int count, bool in_place) {
        std::vector<Run1> ranks;
        for (int rank = 0; rank < machines; ++rank) {
            Run1 run = begin(rank, machines, false);
            run.from = make_buffer(kind == Kind::exchange ? machines : 1, count, type);
            run.to = make_buffer(machines, count, type);
            finish(routine(in_place ? MPI_IN_PLACE : run.from.pointer(), count, type,
                           const_cast<void*>(run.to.pointer()), count, type, MPI_COMM_WORLD));
            if (in_place && kind == Kind::exchange) run.from = kept_aside(call, run.to);
            if (!in_place) {
                const Run own = run.from.block(kind == Kind::exchange ? rank : 0);
                if (call.copies.size() != 1 || !same(call.copies[0].first, own) ||
                    !same(call.copies[0].second, run.to.block(rank)))
                    fail("another copy than of its own block");
            }
            if (kind == Kind::gather) run.from = run.to;
            run.call = call;
            ranks.push_back(run);
        }
        match(ranks, kind, 0);
    });
}

void test_packets(const std::string& name, Gathering* routine, int machines) {
    for_each_shape(name, [&](MPI_Datatype type, int count, bool in_place) {
        if (Wide{count} * type->size > Wide{1} << 33U) return;  // too many packets for a test
        for (const int rank : {0, machines / 2, machines - 1}) {
            Run1 run = begin(rank, machines, true);
            run.from = make_buffer(machines, count, type);
            run.to = make_buffer(machines, count, type);
            finish(routine(in_place ? MPI_IN_PLACE : run.from.pointer(), count, type,
                           const_cast<void*>(run.to.pointer()), count, type, MPI_COMM_WORLD));
            if (in_place) run.from = run.to;
            run.call = call;
            match_packets(run);
        }
    });
}

void test_broadcast(const std::string& name, Broadcasting* routine, int root, int machines) {
    for_each_shape(name, [&](MPI_Datatype type, int count, bool) {
        std::vector<Run1> ranks;
        for (int rank = 0; rank < machines; ++rank) {
            Run1 run = begin(rank, machines, false);
            run.from = run.to = make_buffer(1, count, type);
            finish(routine(const_cast<void*>(run.to.pointer()), count, type, root, MPI_COMM_WORLD));
            run.call = call;
            ranks.push_back(run);
        }
        match(ranks, Kind::broadcast, root);
    });
}

}  // namespace

int main(int, char** argv) {
    const int machines = std::atoi(argv[1]);
    int routines = 0;
#define GATHER(name) ++routines, test(#name, name, Kind::gather, machines);
#define EXCHANGE(name) ++routines, test(#name, name, Kind::exchange, machines);
#define SHUFFLE(name) ++routines, test_packets(#name, name, machines);
#define BROADCAST(name, root) ++routines, test_broadcast(#name, name, root, machines);
#include "routines.h"
    std::printf("%d routines of %d machines\n", routines, machines);
}
