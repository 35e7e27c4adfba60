#!/usr/bin/env python3
"""Interlace: a router written from docs/hil-protocol.md and docs/node.md alone
Copyright (c) 2026 the interlace authors
SPDX-License-Identifier: Apache-2.0

A device for `interlace --device`: it listens at a Unix socket, and each node that a host asks for
is a Node below. Python 3 and its standard library, nothing of the project.

    python3 router.py unix:/tmp/py [--once] [--one-cycle]

The machine is not the project's. Packets are kept whole, as objects, and

- each link port has one memory with one read port: of all its channels one flit leaves in a cycle,
  in turn, by all branches of its packet that are at that flit and can take it (so a branch that
  started late is waited for, and from there on the branches go together); each injection queue is
  another such memory;
- a free sink takes the oldest packet in the node that wants it and finds room: of packets of one
  length nobody starves;
- a packet takes the channel with the most credits.

So it is slower than the contract's node when channels of one port or branches of one packet
compete, and as fast when none do.

It never rests with work in hand. A host need not clock a node after a cycle without input in which
no flit moved, no link was busy and no reception queue held anything (node.md, end of section 5).
Here a sink is granted only if a flit that can move at once waits for it, and a memory with a flit
that can move moves one. So a cycle in which nothing moves changes nothing.

Left out: wormhole and adaptive routing (the write of `enable` is refused, with a sentence), the
pipelined node and flits of other than 128 bits (the hello is refused), preference for high priority
at sinks (its own reception queues it has), and choice by credits and service by fullness as the
contract has them.
All six error bits are there, and `quiesce`.
"""

import argparse
import os
import socket
import stat
import struct
import sys
import zlib
from collections import deque

HELLO, WELCOME, REFUSAL, CYCLES, GOODBYE = 1, 2, 3, 4, 5
MAGIC = b"ilHI"
HEADER = struct.Struct("<4sBBHII")  # magic, version, type, 0, sequence, length; then its check
FLIT = struct.Struct("<BQQ")  # marks, low word, high word
LIMIT = 1 << 28
MANY_CYCLES = 2  # the feature of section 5
ALL_NODES = 1 << 31  # in a number of records: the nodes without one have a rising edge, too
ALL_ZERO = bytes(10)  # an output record, without the node's number, that names nothing

EXPLICIT, TABLE, DEPOSIT, UNICAST = 0, 1, 2, 3
OVERFLOW, MALFORMED, MISROUTED, CREDIT, TOO_LONG, CONFIG = 1, 2, 4, 8, 16, 32

ENABLE, SWITCHING, VCS, VC_DEPTH, RECEPTION_DEPTH, PORTS, RECEPTIONS, INJECTION_DEPTH = range(8)
ROUTING, CLASSES, CYCLES_PER_FLIT, ADAPTIVE, STATUS, QUIESCE, IDLE = range(8, 15)
DIMENSION, PORT, IDENTIFICATION, SIZES, DEPTHS, COUNTERS, TABLE_BASE = 0x10, 0x20, 0x30, 0x31, 0x32, 0x40, 0x1000


class Refused(Exception):
    """A question that the device does not carry out; the text is the sentence for the host."""


class Gone(Exception):
    """The host has closed the stream."""


# ---------------------------------------------------------------- the node (node.md)


class Packet:
    """A packet in a source: its flits as they came, and its branches."""

    def __init__(self, number, length, branches):
        self.number = number  # packets are counted as they come: the lowest is the oldest
        self.length = length
        self.branches = branches
        self.flits = []  # (low word, high word)


class Branch:
    """One sink of a packet's route."""

    def __init__(self, sink, channels):
        self.sink = sink
        self.channels = channels  # a mask; of a reception sink 1
        self.channel = None  # None: it has not started
        self.next = 0  # the flit that it moves next


class Source:
    """A virtual channel of a link port, or an injection queue."""

    def __init__(self, port, channel, queue):
        self.port = port  # None of an injection queue
        self.channel = channel
        self.queue = queue  # the injection queue's number
        self.packets = deque()
        self.used = 0  # flits that hold space
        self.missing = 0  # flits to come of the packet that is coming
        self.length = 0  # of that packet
        self.coming = None  # that packet; None where it is refused
        self.freed = 0  # credits that the pins show next


class Sink:
    """A link port or a reception queue."""

    def __init__(self, channels):
        self.credits = [0] * channels
        self.holder = None  # the branch that has it until its tail has moved
        self.busy = 0  # cycles for which a link is still busy
        self.queue = deque()  # a reception queue's flits
        self.shown = None  # (channel, flit) on a link's pins next


class Node:
    """One router. `clock` is a rising edge; it returns what the output pins show afterwards."""

    def __init__(self, build):
        (self.P, self.V, self.I, self.R, _, self.vc_built, self.injection_built, self.reception_built,
         self.slots, _) = build
        self.D = max(1, self.P // 2)
        self.table = [0] * self.slots
        self.reset()
        self.pins = self.show(0, 0)

    def reset(self):
        """All but the table."""
        P, V = self.P, self.V
        self.reg = {}
        self.status = 0
        self.number = 0
        self.sources = [Source(s // V, s % V, None) for s in range(P * V)]
        self.sources += [Source(None, None, i) for i in range(self.I)]
        self.memories = [self.sources[p * V:(p + 1) * V] for p in range(P)]
        self.memories += [[s] for s in self.sources[P * V:]]
        self.turn = [0] * len(self.memories)
        self.sinks = [Sink(V) for _ in range(P)] + [Sink(1) for _ in range(self.R)]
        self.vc_depth = 0
        self.counters = [0] * (4 * P)

    # ---- registers (section 1)

    def get(self, address):
        return self.reg.get(address, 0)

    def fields(self, address):
        """The bits that a register has; None where there is none that can be written."""
        vcs, ports = (1 << self.V) - 1, (1 << self.P) - 1
        known = {ENABLE: 1, SWITCHING: 3, VCS: vcs, VC_DEPTH: 0xffff, RECEPTION_DEPTH: 0xffff, PORTS: ports,
                 RECEPTIONS: 7, INJECTION_DEPTH: 0xffff, ROUTING: 0x1f, CLASSES: vcs | vcs << 4,
                 CYCLES_PER_FLIT: 0xff, ADAPTIVE: vcs | vcs << 4 | 0x7f00 | vcs << 16 | 0xff300000, QUIESCE: ports}
        if address in known:
            return known[address]
        if DIMENSION <= address < DIMENSION + self.D:
            return 0xffffffff
        if PORT <= address < PORT + self.P:
            return 0xfffff
        return None

    def write(self, address, data):
        if address == STATUS:
            self.status &= ~data
            return
        if self.get(ENABLE) and address != QUIESCE:
            if address != ENABLE or not data & 1:
                self.status |= CONFIG
            return
        fields = self.fields(address)
        if fields is not None:
            self.reg[address] = data & fields
        elif TABLE_BASE <= address < TABLE_BASE + self.slots:
            self.table[address - TABLE_BASE] = data & ((2 << self.P) - 1 | ((1 << self.V) - 1) << 16)
        if address == ENABLE and data & 1:
            self.start()

    def start(self):
        """What the registers say is fixed from here on."""
        if self.get(SWITCHING) == 2:
            raise Refused("This router has no wormhole switching.")
        if self.get(ROUTING) & 4:
            raise Refused("This router has no adaptive routing.")
        self.store = self.get(SWITCHING) == 0
        self.vc_depth = min(self.get(VC_DEPTH), self.vc_built)
        self.injection_depth = min(self.get(INJECTION_DEPTH), self.injection_built)
        self.reception_depth = min(self.get(RECEPTION_DEPTH), self.reception_built)
        self.rate = max(1, self.get(CYCLES_PER_FLIT))
        self.here = [self.get(DIMENSION + d) & 0xffff for d in range(self.D)]
        self.size = [self.get(DIMENSION + d) >> 16 for d in range(self.D)]
        hops = [self.get(PORT + p) for p in range(self.P)]
        self.hops = [(h & 0xffff, h >> 16 & 7, h >> 19 & 1) for h in hops]  # length, dimension, downwards
        for s, sink in enumerate(self.sinks):
            depth = self.vc_depth if s < self.P else self.reception_depth
            sink.credits = [depth] * len(sink.credits)

    def read(self, address):
        if address == STATUS:
            return self.status
        if address == IDLE:
            inside = any(s.packets or s.missing for s in self.sources)
            empty = not (inside or any(s.queue or s.shown for s in self.sinks))
            home = all(c == self.vc_depth for s in self.sinks[:self.P] for c in s.credits)
            return empty | home << 1
        if COUNTERS <= address < COUNTERS + 4 * self.P:
            return self.counters[address - COUNTERS] & 0xffffffff
        if address == IDENTIFICATION:
            return 0x6c690001
        if address == SIZES:
            return self.P | self.V << 4 | self.I << 8 | self.R << 16 | 2 << 24
        if address == DEPTHS:
            built = (self.vc_built, self.injection_built, self.reception_built, self.slots)
            return sum((n.bit_length() - 1) << 4 * i for i, n in enumerate(built)) | 1 << 28
        if TABLE_BASE <= address < TABLE_BASE + self.slots:
            return self.table[address - TABLE_BASE]
        built = {VC_DEPTH: self.vc_built, INJECTION_DEPTH: self.injection_built, RECEPTION_DEPTH: self.reception_built}
        return min(self.get(address), built.get(address, 0xffffffff))

    # ---- routes (section 4)

    def reception(self, port, word):
        """The sink of the reception queue of a packet from a port."""
        mode = self.get(RECEPTIONS)
        if not mode & 1:
            return self.P
        group = mode >> 2 & 1 and word >> 3 & 1
        high = mode >> 1 & 1 and word >> 2 & 1
        return self.P + (self.P + (mode >> 1 & 1)) * group + (self.P if high else port)

    def coordinates(self, word):
        """A packet's destination: one coordinate a dimension."""
        width = min(16, 32 // self.D)
        return [(word >> 22 & 0xffffffff) >> d * width & (1 << width) - 1 for d in range(self.D)]

    def hop(self, dimension, down, distance, tie):
        """The port with the longest hop that does not overshoot, the lowest of these; None if there is none.
        tie: both ways are as long, so that a hop of that length counts in either direction."""
        best, best_length = None, 0
        for p, (length, d, way) in enumerate(self.hops):
            leads = way == down or tie and length == distance
            if self.get(PORTS) >> p & 1 and d == dimension and leads and best_length < length <= distance:
                best, best_length = p, length
        return best

    def unicast(self, source, word):
        """Dimension order: {sink: channels}."""
        to, bits = self.coordinates(word), word >> 10 & 0xfff
        for d in range(self.D):
            if to[d] == self.here[d]:
                continue
            up = (to[d] - self.here[d] + (self.size[d] if to[d] < self.here[d] else 0)) & 0xffff
            down = (self.size[d] - up) & 0xffff
            tie = False
            if self.get(ROUTING) & 2:
                tie = down == up
                downwards = down < up or (down == up and bits >> d & 1)
            else:
                downwards = to[d] < self.here[d]
                up, down = to[d] - self.here[d], self.here[d] - to[d]
            port = self.hop(d, int(downwards), down if downwards else up, tie)
            if port is None:
                return {}
            classes = self.get(CLASSES)
            return {port: classes & 15 if to[d] < self.size[d] // 2 else classes >> 4}
        return {} if source.port is None else {self.reception(source.port, word): 1}

    def deposit(self, source, word):
        """From a link: here, and straight on until the destination's coordinate: {sink: channels}."""
        route = {self.reception(source.port, word): 1}
        length, dimension, way = self.hops[source.port]
        if dimension < self.D and self.coordinates(word)[dimension] != self.here[dimension]:
            for p, hop in enumerate(self.hops):
                if self.get(PORTS) >> p & 1 and hop == (length, dimension, 1 - way):
                    route[p] = 15
                    break
        return route

    def route(self, source, word):
        """{sink: channels}; empty where the packet is misrouted."""
        kind, slot = word & 3, word >> 10 & 0xfff
        if kind == UNICAST:
            route = self.unicast(source, word)
        elif kind == TABLE:
            entry = self.table[slot] if slot < self.slots else 0
            route = {p: entry >> 16 or 15 for p in range(self.P) if entry >> p & 1}
            if entry >> self.P & 1 and source.port is not None:
                route[self.reception(source.port, word)] = 1
        elif source.port is None:
            # A bit of the mask beyond Ports names a port outside `ports`: it is kept, for `carries` to see.
            route = {(p if p < self.P else -p): 15 for p in range(12) if slot >> p & 1}
        elif kind == DEPOSIT:
            route = self.deposit(source, word)
        else:
            route = {self.reception(source.port, word): 1}
        return {s: m & self.get(VCS) if s < self.P else 1 for s, m in route.items()}

    def carries(self, source, word, route):
        """Whether a route is one that this node has."""
        for sink, channels in route.items():
            if sink >= self.P + self.R or sink < 0:
                return False
            if sink < self.P and (not self.get(PORTS) >> sink & 1 or not channels):
                return False
            if self.get(ROUTING) & 16 and sink == source.port:
                return False
        kind, to = word & 3, self.coordinates(word)
        looked_at = []
        if kind == UNICAST:
            looked_at = range(self.D)
        elif kind == DEPOSIT and source.port is not None and self.hops[source.port][1] < self.D:
            looked_at = [self.hops[source.port][1]]
        return bool(route) and all(to[d] == self.here[d] or to[d] < self.size[d] for d in looked_at)

    def too_long(self, source, length, route):
        own = self.injection_depth if source.port is None else self.vc_depth
        return ((length > self.vc_depth and any(s < self.P for s in route))
                or (length > self.reception_depth and any(s >= self.P for s in route))
                or (length > own and len(route) > 1))

    # ---- flits that come (section 8)

    def take_head(self, source, word):
        """The packet that a head begins: a Packet, or None and an error bit."""
        rest = word & ~(0xff << 54)
        check = 0xa5
        for i in range(8):
            check ^= rest >> 8 * i & 0xff
        length = (word >> 4 & 63) + 1
        if check != word >> 54 & 0xff or word >> 62 or (word & 2 and not self.get(ROUTING) & 1):
            self.status |= MALFORMED
            return None
        route = self.route(source, word)
        if not self.carries(source, word, route):
            self.status |= MISROUTED
            return None
        if self.too_long(source, length, route):
            self.status |= TOO_LONG
            return None
        self.number += 1
        return Packet(self.number, length, [Branch(s, m) for s, m in route.items()])

    def take(self, source, marks, low, high):
        """A flit that was on input pins in this cycle; it is in its source from the next on."""
        depth = self.injection_depth if source.port is None else self.vc_depth
        full = source.used + source.freed >= depth  # when the cycle began
        first = not source.missing
        status = self.status
        if first:
            if not marks & 1:
                self.status |= MALFORMED
                source.freed += 1
                return
            packet, length = self.take_head(source, low), (low >> 4 & 63) + 1
        else:
            packet, length = source.coming, source.length
        if packet and full:
            self.status = status | OVERFLOW
            return
        if first:
            source.missing, source.length, source.coming = length, length, packet
            if packet:
                source.packets.append(packet)
        source.missing -= 1
        if (not first and marks & 1) or (marks >> 1 & 1) != (source.missing == 0):
            self.status |= MALFORMED
        if packet:
            packet.flits.append((low, high))
            source.used += 1
        else:
            source.freed += 1

    # ---- a cycle (section 5)

    def room(self, sink, branch, length):
        """The channel with the most credits that a packet may use, or None."""
        most, best = length - 1, None
        for channel, credits in enumerate(sink.credits):
            if branch.channels >> channel & 1 and credits > most:
                most, best = credits, channel
        return best

    def grant(self):
        """Free sinks go to the oldest packets with room. Returns the sinks at which something waits for room alone."""
        wanted, oldest = 0, {}
        for source in self.sources:
            if not source.packets:
                continue
            packet = source.packets[0]
            for branch in packet.branches:
                s = branch.sink
                sink = self.sinks[s]
                if branch.channel is not None or sink.holder or sink.busy or not packet.flits:
                    continue
                if s < self.P:
                    if self.get(QUIESCE) >> s & 1:
                        continue
                    if self.store and source.port is not None and len(packet.flits) < packet.length:
                        continue
                wanted |= 1 << s
                channel = self.room(sink, branch, packet.length)
                if channel is not None and (s not in oldest or packet.number < oldest[s][0].number):
                    oldest[s] = packet, branch, channel
        for s, (packet, branch, channel) in oldest.items():
            branch.channel = channel
            self.sinks[s].holder = branch
            self.sinks[s].credits[channel] -= packet.length
            wanted &= ~(1 << s)
        return wanted

    def ready(self, source):
        """The branches that can move a flit of a source's head packet now and are furthest behind."""
        if not source.packets:
            return []
        packet = source.packets[0]
        able = [b for b in packet.branches
                if b.channel is not None and b.next < len(packet.flits) and not self.sinks[b.sink].busy]
        least = min((b.next for b in able), default=0)
        return [b for b in able if b.next == least]

    def move(self, source, branches):
        """One flit is read, and goes to all of these branches."""
        packet = source.packets[0]
        at = branches[0].next
        flit = ((at == 0) | (at == packet.length - 1) << 1, *packet.flits[at])
        for branch in branches:
            sink = self.sinks[branch.sink]
            branch.next += 1
            if branch.sink < self.P:
                sink.shown = branch.channel, flit
                sink.busy = self.rate
            else:
                sink.queue.append(flit)
            if branch.next == packet.length:
                sink.holder = None
        left = all(b.next == packet.length for b in packet.branches)
        freed = 1 if len(packet.branches) == 1 else packet.length if left else 0
        source.used -= freed
        source.freed += freed
        if left:
            source.packets.popleft()

    def clock(self, flags, address, data, rx_ready, flits, credits, injected):
        """A rising edge. Lists: flits (port, channel, marks, low, high), credits (port, channel, amount),
        injected (queue, marks, low, high)."""
        if not flags & 1:
            self.reset()
            self.pins = self.show(0, 0)
            return self.pins
        if not flags & 2:
            return self.pins
        said = self.read(address) if flags & 8 else 0
        running = self.get(ENABLE)
        stall = 0
        for source in self.sources:
            source.freed = 0
        for sink in self.sinks:
            sink.shown = None
        if running:
            taken = [s for r, s in enumerate(self.sinks[self.P:]) if rx_ready >> r & 1 and s.queue]
            for sink in taken:
                sink.queue.popleft()
            stall = self.grant()
            for m, memory in enumerate(self.memories):
                for i in range(len(memory)):
                    at = (self.turn[m] + i) % len(memory)
                    branches = self.ready(memory[at])
                    if branches:
                        self.move(memory[at], branches)
                        self.turn[m] = (at + 1) % len(memory)
                        break
            for sink in taken:
                sink.credits[0] += 1
            for sink in self.sinks[:self.P]:
                sink.busy = max(0, sink.busy - 1)
        if flags & 4:
            self.write(address, data)
        if not running:
            if flits or credits or injected:
                self.status |= CONFIG
        else:
            for port, channel, *flit in flits:
                self.take(self.sources[port * self.V + channel], *flit)
            for queue, *flit in injected:
                self.take(self.sources[self.P * self.V + queue], *flit)
            for port, channel, amount in credits:
                have = self.sinks[port].credits
                have[channel] += amount
                if have[channel] > self.vc_depth:
                    have[channel] = self.vc_depth
                    self.status |= CREDIT
        for p, sink in enumerate(self.sinks[:self.P]):
            if sink.shown:
                self.counters[4 * p] += 1
                self.counters[4 * p + 1] += sink.shown[1][0] & 1
            self.counters[4 * p + 2] += stall >> p & 1
        self.pins = self.show(stall, said)
        return self.pins

    def show(self, stall, said):
        """The output pins, as a record without the node's number (hil-protocol.md, section 4)."""
        out = [struct.pack("<BII", self.status, stall, said)]
        for s, sink in enumerate(self.sinks):
            if sink.shown:
                channel, flit = sink.shown
                out.append(struct.pack("<BBB", 1, s, channel) + FLIT.pack(*flit))
            elif sink.queue:
                out.append(struct.pack("<BBBH", 3, s - self.P, 1, len(sink.queue)) + FLIT.pack(*sink.queue[0]))
        for source in self.sources:
            if source.freed & 127:
                if source.port is not None:
                    out.append(struct.pack("<BBBB", 2, source.port, source.channel, source.freed & 127))
                else:
                    out.append(struct.pack("<BBB", 4, source.queue, source.freed & 127))
        out.append(b"\0")
        return b"".join(out)


# ---------------------------------------------------------------- the protocol (hil-protocol.md)


class Payload:
    """A payload that is read from its front; one that is too short or too long is refused."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, layout):
        values = struct.Struct("<" + layout)
        if self.at + values.size > len(self.data):
            raise Refused("A question is shorter than what it says.")
        self.at += values.size
        return values.unpack_from(self.data, self.at - values.size)

    def end(self):
        if self.at != len(self.data):
            raise Refused("A question is longer than what it says.")


def power_of_two(least, otherwise):
    """The lowest power of two of at least 2 that is enough; for 0, which says nothing, another."""
    return max(2, 1 << (least - 1).bit_length()) if least else otherwise


class Place:
    """A node, and what is kept of its input pins from cycle to cycle: those that are held, and what is offered."""

    def __init__(self, node, depth):
        self.node = node
        self.depth = depth
        self.held = 0, 0  # rst_ni and clk_en_i, as flags, and rx_ready_i, as they were last shown
        self.forget()

    def forget(self):
        """No queue has had an offer, and each has all its credits."""
        self.offers = [None] * self.node.I
        self.credits = [self.depth] * self.node.I

    def offer(self, queue, flits):
        if self.offers[queue] is None:
            self.offers[queue] = deque()
        self.offers[queue].extend(flits)

    def inject(self, injected):
        """Adds to the injected flits what is offered and has a credit. Returns the queues of these."""
        shown = [q for q, offered in enumerate(self.offers) if offered and self.credits[q] > 0]
        injected += [(q, *self.offers[q].popleft()) for q in shown]
        for queue, *_ in injected:
            self.credits[queue] -= 1
        # The pins still show what the cycle before has freed: it can be used from the next cycle on.
        for source in self.node.sources[self.node.P * self.node.V:]:
            self.credits[source.queue] += source.freed & 127
        return shown

    def clock(self, flags, address, data, rx_ready, flits, credits, injected):
        """A rising edge. Returns an output record without the node's number."""
        self.held = flags & 3, rx_ready
        shown = []
        if not flags & 1:
            self.forget()
        elif flags & 2:
            shown = self.inject(injected)
        pins = self.node.clock(flags, address, data, rx_ready, flits, credits, injected)
        return pins[:-1] + b"".join(struct.pack("<BB", 5, q) for q in shown) + b"\0"

    def hold(self):
        """A rising edge without an input record."""
        flags, rx_ready = self.held
        return self.clock(flags, 0, 0, rx_ready, [], [], [])


class Device:
    """What one host sees: nodes, and the answers to its questions."""

    def __init__(self, features):
        self.features = features
        self.places = None
        self.cycles = 0
        self.over = False

    def answer(self, version, kind, payload):
        """The type and payload of the answer to a new question."""
        try:
            question = Payload(payload)
            if version != 2:
                raise Refused("This router speaks version 2 of the protocol.")
            if self.over:
                raise Refused("This host has said goodbye.")
            if kind == HELLO:
                return WELCOME, self.hello(question)
            if kind == CYCLES:
                return CYCLES, self.clock(question)
            if kind == GOODBYE:
                question.end()
                self.over = True
                return GOODBYE, b""
            raise Refused(f"Type {kind} is no question.")
        except Refused as refusal:
            text = str(refusal).encode()
            return REFUSAL, struct.pack("<H", len(text)) + text

    def hello(self, question):
        question.take("Q")  # the session: with each stream a device of its own begins
        ports, vcs, injections, receptions, bits, vc, injection, reception, slots, pipeline = question.take("10I")
        count, = question.take("I")
        question.take(f"{count}I")  # the nodes' numbers in the host's network: not looked at
        settings, = question.take("H")
        question.take("HI" * settings)  # as the registers will say
        question.take("B")  # kinds of packets
        question.end()
        if pipeline != 1:
            raise Refused("This router is not pipelined: it can only be of Pipeline 1.")
        if bits != 128:
            raise Refused("This router's flits have 128 bits.")
        if not 1 <= ports <= 10 or vcs > 4 or injections > 12 or receptions > 22:
            raise Refused("This router has at most 10 ports, 4 channels, 12 injection and 22 reception queues.")
        depths = [power_of_two(d, 512) for d in (vc, injection, reception)]
        slots = power_of_two(slots, 2)
        if max(depths) > 32768 or slots > 4096:
            raise Refused("This router's queues have at most 32768 flits, and its table 4096 slots.")
        build = (ports, max(1, vcs), max(1, injections), max(1, receptions), bits, *depths, slots, pipeline)
        self.places = [Place(Node(build), injection) for _ in range(count)]
        # No silent cycles, payloads of any length.
        return struct.pack("<14I", zlib.crc32(question.data), *build, 0, self.features, 0)

    def clock(self, question):
        if self.places is None:
            raise Refused("The first question is a hello.")
        count, = question.take("H")
        out = [struct.pack("<H", count)]
        for _ in range(count):
            records, = question.take("I")
            all_nodes = records & ALL_NODES
            if (count > 1 or all_nodes) and not self.features & MANY_CYCLES:
                raise Refused("This router takes one cycle in a question, and clocks the nodes that have records.")
            answers = {}
            for _ in range(records ^ all_nodes):
                number, flags = question.take("IB")
                if number >= len(self.places) or number in answers:
                    raise Refused(f"Node {number} is not there, or twice in one cycle.")
                answers[number] = self.record(self.places[number], flags, question)
            if all_nodes:
                for number, place in enumerate(self.places):
                    if number not in answers:
                        answers[number] = place.hold()
                answers = {number: pins for number, pins in answers.items() if pins != ALL_ZERO}
            out.append(struct.pack("<I", len(answers) | all_nodes))
            out += [struct.pack("<I", number) + pins for number, pins in answers.items()]
            self.cycles += 1
        question.end()
        return b"".join(out)

    def record(self, place, flags, question):
        """Reads the rest of an input record and clocks its node."""
        node = place.node
        address, data = question.take("HI") if flags & 12 else (0, 0)
        rx_ready, = question.take("I")
        flits, credits, injected = [], [], []
        while True:
            item, = question.take("B")
            if item == 0:
                return place.clock(flags, address, data, rx_ready, flits, credits, injected)
            if item == 1:
                flits.append(question.take("BBBQQ"))
            elif item == 2:
                credits.append(question.take("BBB"))
            elif item == 3:
                injected.append(question.take("BBQQ"))
                queue = injected[-1][0]
                if queue >= node.I or place.offers[queue] is not None:
                    raise Refused("An injection queue is not there, or has had an offer.")
                continue
            elif item == 4 and self.features & MANY_CYCLES:
                queue, number = question.take("BH")
                if queue >= node.I:
                    raise Refused("An injection queue is not there.")
                place.offer(queue, [question.take("BQQ") for _ in range(number)])
                continue
            else:
                raise Refused(f"There is no item {item}.")
            port, channel = (flits if item == 1 else credits)[-1][:2]
            if port >= node.P or channel >= node.V:
                raise Refused("A port or channel is not there.")


class Stream:
    """Frames over a socket."""

    def __init__(self, connection):
        self.connection = connection
        self.buffer = bytearray()

    def more(self):
        try:
            data = self.connection.recv(1 << 16)
        except ConnectionError:
            data = b""
        if not data:
            raise Gone
        self.buffer += data

    def frame(self):
        """The next frame: (version, type, sequence, payload). What is none is passed over byte by byte."""
        while True:
            at = self.buffer.find(MAGIC)
            del self.buffer[:at if at >= 0 else max(0, len(self.buffer) - 3)]
            if len(self.buffer) < 20:
                self.more()
                continue
            _, version, kind, _, sequence, length = HEADER.unpack_from(self.buffer)
            check, = struct.unpack_from("<I", self.buffer, 16)
            if zlib.crc32(self.buffer[:16]) == check and length <= LIMIT:
                while len(self.buffer) < 24 + length:
                    self.more()
                payload = bytes(self.buffer[20:20 + length])
                check, = struct.unpack_from("<I", self.buffer, 20 + length)
                if zlib.crc32(payload) == check:
                    del self.buffer[:24 + length]
                    return version, kind, sequence, payload
            del self.buffer[0]

    def send(self, data):
        try:
            self.connection.sendall(data)
        except ConnectionError:
            raise Gone from None


def pack_frame(sequence, kind, payload):
    header = HEADER.pack(MAGIC, 2, kind, 0, sequence, len(payload))
    return header + struct.pack("<I", zlib.crc32(header)) + payload + struct.pack("<I", zlib.crc32(payload))


def serve(connection, features):
    """Serves one host until it closes the stream; returns its Device."""
    stream, device = Stream(connection), Device(features)
    last, answer = 0, None
    try:
        while True:
            version, kind, sequence, payload = stream.frame()
            if answer is None or sequence != last:
                if sequence != (last + 1) % (1 << 32):
                    continue
                last = sequence
                answer = pack_frame(sequence, *device.answer(version, kind, payload))
            stream.send(answer)
    except Gone:
        return device


def main():
    arguments = argparse.ArgumentParser(description="A router in Python, as a device for interlace --device")
    arguments.add_argument("address", help="where hosts find it: unix:/tmp/py")
    arguments.add_argument("--once", action="store_true", help="end with the first host")
    arguments.add_argument("--one-cycle", action="store_true", help="take one cycle in a question, and no offers")
    options = arguments.parse_args()
    if not options.address.startswith("unix:"):
        arguments.error("an address begins with unix:")
    path = options.address[len("unix:"):]
    if os.path.exists(path) and stat.S_ISSOCK(os.stat(path).st_mode):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen()
    try:
        while True:
            connection, _ = listener.accept()
            with connection:
                device = serve(connection, 0 if options.one_cycle else MANY_CYCLES)
            if not device.over:
                print(f"the host disconnected after {device.cycles} cycles", file=sys.stderr)
                return 1
            if options.once:
                return 0
    except KeyboardInterrupt:
        return 130
    finally:
        listener.close()
        os.unlink(path)


if __name__ == "__main__":
    sys.exit(main())
