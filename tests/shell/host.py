#!/usr/bin/env python3
"""Interlace: a host that asks a device more than an ordinary one would (docs/hil-protocol.md)
Copyright (c) 2026 the interlace authors
SPDX-License-Identifier: Apache-2.0

Python 3 and its standard library, nothing of the project.

    python3 host.py same DEVICE REFERENCE [--cycles N] [--seed N] [--garbage]
    python3 host.py refuses DEVICE

An address is unix:PATH or serial:PATH. `same` shows random pins to the nodes of both and compares all output pins
in every cycle, registers that are read included; with --garbage it sends the device in between what is no question,
or none that it may carry out. `refuses` breaks the protocol in each way that the page names. Exit code 0: all was
as it should be.
"""

import argparse
import os
import random
import select
import socket
import struct
import sys
import termios
import time
import tty
import zlib

HELLO, WELCOME, REFUSAL, CYCLES, GOODBYE = 1, 2, 3, 4, 5
HEADER = struct.Struct("<4sBBHII")
OVERHEAD = 24
NAMES = ("ports", "vcs", "injections", "receptions", "flit_bits", "vc_depth", "injection_depth", "reception_depth", "slots",
         "pipeline")


def frame(sequence, kind, payload, version=2):
    header = HEADER.pack(b"ilHI", version, kind, 0, sequence & 0xffffffff, len(payload))
    return header + struct.pack("<I", zlib.crc32(header)) + payload + struct.pack("<I", zlib.crc32(payload))


def first_frame(data):
    """The first frame in `data`: (where it begins, type, sequence, payload), or None."""
    for at in range(len(data) - OVERHEAD + 1):
        if data[at:at + 4] != b"ilHI":
            continue
        _, version, kind, _, sequence, length = HEADER.unpack_from(data, at)
        check, = struct.unpack_from("<I", data, at + 16)
        if version != 2 or zlib.crc32(data[at:at + 16]) != check or len(data) < at + OVERHEAD + length:
            continue
        payload = bytes(data[at + 20:at + 20 + length])
        if zlib.crc32(payload) == struct.unpack_from("<I", data, at + 20 + length)[0]:
            return at, kind, sequence, payload
    return None


class Device:
    """A session with a device."""

    def __init__(self, address):
        kind, path = address.split(":", 1)
        if kind == "unix":
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.socket.connect(path)
            self.file = self.socket.fileno()
        else:
            self.file = os.open(path, os.O_RDWR | os.O_NOCTTY)
            tty.setraw(self.file)
            termios.tcflush(self.file, termios.TCIOFLUSH)
        self.sequence = 0
        self.asked_again = 0
        self.doubled = False  # in this session
        self.data = bytearray()

    def send(self, data):
        while data:
            data = data[os.write(self.file, data):]

    def answer(self, sequence, wait):
        """The frame with this number (None: with any) that comes in time: (type, payload), or None."""
        end = time.monotonic() + wait
        while True:
            found = first_frame(self.data)
            if found:
                at, kind, number, payload = found
                del self.data[:at + OVERHEAD + len(payload)]
                if sequence in (None, number):
                    return kind, payload
                continue
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.file], [], [], left)[0]:
                return None
            more = os.read(self.file, 4096)
            if not more:
                sys.exit("host.py: the device is gone")
            self.data += more

    def ask_frame(self, question, sequence, patience=60.0):
        wait, end = 0.2, time.monotonic() + patience
        while time.monotonic() < end:
            self.send(question)
            answer = self.answer(sequence, wait)
            if answer:
                return answer
            self.asked_again += 1
            self.doubled = True
            wait *= 2
        sys.exit(f"host.py: no answer to question {sequence}")

    def ask(self, kind, payload):
        self.sequence += 1
        self.question = frame(self.sequence, kind, payload)
        return self.ask_frame(self.question, self.sequence)

    def settle(self):
        """Before a session: answers to what was asked twice may still come, and each session has a question 1."""
        while self.doubled and self.answer(None, 0.5):
            pass
        self.doubled = False
        self.sequence = 0

    def hello(self, sizes, nodes=1, session=None):
        """A session anew; what the device is."""
        self.settle()
        settings = [(2, 3), (3, 8), (7, 8)]
        payload = struct.pack("<Q10I", random.getrandbits(64) if session is None else session, *sizes)
        payload += struct.pack(f"<I{nodes}I", nodes, *range(nodes)) + struct.pack("<H", len(settings))
        payload += b"".join(struct.pack("<HI", *setting) for setting in settings) + b"\x0f"
        self.greeting = payload
        kind, answer = self.ask(HELLO, payload)
        if kind != WELCOME:
            return kind, answer
        values = struct.unpack("<14I", answer)
        if values[0] != zlib.crc32(payload):
            sys.exit("host.py: welcome has not the check of hello")
        self.most = values[13]
        return kind, dict(zip(NAMES, values[1:11]))


# ---------------------------------------------------------------- records


def flit(r, words=None):
    """A flit's bytes: a head that means something, or anything."""
    if words is None:
        words = r.getrandbits(64), r.getrandbits(64)
    return struct.pack("<BQQ", r.randrange(4), *words)


def header(r, sizes):
    """Word 0 of a packet of one or two flits that a node may well take."""
    kind = r.choice((0, 0, 0, 1, 1, 3))
    mask = r.randrange(1, 1 << sizes["ports"])
    word = kind | r.randrange(4) << 2 | r.randrange(2) << 4
    word |= (r.randrange(sizes["slots"]) if kind == 1 else mask) << 10 | r.randrange(4) << 22
    check = 0xa5
    for i in range(8):
        check ^= word >> 8 * i & 0xff
    return word | check << 54


class Source:
    """What comes by one channel or injection queue: packets of one or two flits, and now and then anything."""

    def __init__(self):
        self.left = 0

    def flit(self, r, sizes):
        if r.random() < 0.02:
            return flit(r)
        if self.left:
            self.left -= 1
            return struct.pack("<BQQ", 2 if not self.left else 0, r.getrandbits(64), r.getrandbits(64))
        word = header(r, sizes)
        self.left = word >> 4 & 63
        return struct.pack("<BQQ", 1 if self.left else 3, word, r.getrandbits(64))


class Node:
    """What a host shows to one node."""

    def __init__(self, sizes):
        self.sizes = sizes
        self.links = {(p, v): Source() for p in range(sizes["ports"]) for v in range(sizes["vcs"])}
        self.queues = [Source() for _ in range(sizes["injections"])]

    def record(self, number, flags, register=None, ready=0, items=b""):
        data = struct.pack("<IB", number, flags)
        if register:
            data += struct.pack("<HI", *register)
        return data + struct.pack("<I", ready) + items + b"\0"

    def random(self, r, number):
        sizes = self.sizes
        items = []
        for p in range(sizes["ports"]):
            if r.random() < 0.3:
                v = r.randrange(sizes["vcs"])
                items.append(struct.pack("<BBB", 1, p, v) + self.links[p, v].flit(r, sizes))
            for v in range(sizes["vcs"]):
                if r.random() < 0.2:
                    items.append(struct.pack("<BBBB", 2, p, v, r.choice((1, 1, 1, 2, r.randrange(128)))))
        for i in range(sizes["injections"]):
            if r.random() < 0.3:
                items.append(struct.pack("<BB", 3, i) + self.queues[i].flit(r, sizes))
        r.shuffle(items)
        flags, register = 3 if r.random() < 0.95 else 1, None
        if r.random() < 0.2:
            address = r.choice((12, 13, 14, 0x30, 0x31, 0x32, 0x40, 0x41, 0x42, 0x1000, r.randrange(64)))
            write = address in (12, 13) or r.random() < 0.05
            flags |= 4 if write else 8
            register = (address, r.getrandbits(32) if address == 12 else r.getrandbits(1))
        return self.record(number, flags, register, r.getrandbits(sizes["receptions"]), b"".join(items))


def output_records(data, sizes):
    """An answer's records: {node: {pin: value}}."""
    at = 0

    def take(layout):
        nonlocal at
        values = struct.unpack_from("<" + layout, data, at)
        at += struct.calcsize("<" + layout)
        return values

    count, records = take("HI")
    if count != 1:
        sys.exit("host.py: an answer of other than one cycle")
    nodes = {}
    for _ in range(records):
        number, = take("I")
        pins = {"registers": take("BII")}
        while True:
            kind, = take("B")
            if kind == 0:
                break
            if kind not in (1, 2, 3, 4):
                sys.exit(f"host.py: an item {kind}")
            place = take("B")[0]
            if kind == 1:
                pins[1, place] = take("BBQQ")
            elif kind == 2:
                pins[2, place, take("B")[0]] = take("B")
            elif kind == 3:
                pins[3, place] = take("BHBQQ")
            else:
                pins[4, place] = take("B")
        nodes[number] = {pin: value for pin, value in pins.items() if pin == "registers" or any(value)}
    if at != len(data):
        sys.exit("host.py: an answer is longer than what it says")
    return nodes


# ---------------------------------------------------------------- same


def garbage(r, device, question):
    """Bytes of which nothing may come."""
    def flipped(data):
        data = bytearray(data)
        data[r.randrange(len(data))] ^= 1 << r.randrange(8)
        return bytes(data)

    other = device.sequence + r.choice((2, 3, 1000, -2, -5))
    kinds = [
        lambda: r.randbytes(r.randrange(1, 200)),
        lambda: question[:r.randrange(1, len(question))],  # cut off
        lambda: flipped(question),
        lambda: question[:4] + question[4:r.randrange(5, 24)],
        lambda: b"ilHI" * r.randrange(1, 20) + b"ilH",
        lambda: frame(other, CYCLES, question[20:-4]),  # of another number
        lambda: frame(1, HELLO, device.greeting),  # doubled, and late
        lambda: frame(device.sequence + 1, CYCLES, question[20:-4], version=1),
        lambda: question[:-4] + b"\0\0\0\0",
        lambda: device.question,  # the last one: its answer comes again
        lambda: frame(other, CYCLES, bytes(5000))[:20],  # longer than devices take
        lambda: frame(other, CYCLES, bytes(r.randrange(300)))[:r.randrange(20, 24)],  # cut off, it eats what follows
    ]
    return b"".join(r.choice(kinds)() for _ in range(r.randrange(1, 4)))


def configured(node, number, r):
    """Records that reset a node and write its registers."""
    sizes = node.sizes
    ports = (1 << sizes["ports"]) - 1
    registers = [(1, r.randrange(3)), (2, (1 << sizes["vcs"]) - 1), (3, r.choice((2, 4, 8, 99))), (4, r.choice((2, 4, 8, 99))),
                 (5, ports), (6, 0), (7, r.choice((2, 4, 8, 99))), (8, r.choice((0, 3))), (9, 0x21), (10, r.choice((1, 1, 2, 5))),
                 (11, 0), (0x10, 0x00040001), (0x20, 1), (0x21, 0x80001)]
    registers += [(0x1000 + slot, r.randrange(1 << sizes["ports"] + 1)) for slot in range(sizes["slots"]) if r.random() < 0.7]
    r.shuffle(registers)
    yield node.record(number, 0)
    for register in registers + [(0, 1)]:
        yield node.record(number, 7, register)


def same(options):
    r = random.Random(options.seed)
    nodes = options.nodes
    device, reference = Device(options.device), Device(options.reference)
    asked = (options.ports, 1, 1, 1, 128, 2, 2, 2, 0, 1)
    sizes = [side.hello(asked, nodes) for side in (device, reference)]
    for kind, said in sizes:
        if kind != WELCOME:
            sys.exit(f"host.py: a refusal: {said[2:].decode()}")
    if sizes[0] != sizes[1]:
        sys.exit(f"host.py: the device is {sizes[0][1]}, and the reference {sizes[1][1]}")
    shown, plan, cycles, seen = [], [], 0, 0
    while cycles < options.cycles:
        # Configured anew now and then; at times in a session of its own, and then the reference needs a new one, too.
        if cycles % 400 == 0:
            if cycles % 800 == 400 and device.hello(asked, nodes)[0] != WELCOME:
                sys.exit("host.py: no welcome in a second session")
            if cycles % 800 == 400 and reference.hello(asked, nodes)[0] != WELCOME:
                sys.exit("host.py: the reference has no second session")
            shown = [Node(sizes[0][1]) for _ in range(nodes)]
            begins = [list(configured(node, n, r)) for n, node in enumerate(shown)]
            while len(set(map(len, begins))) > 1:  # none ends before the others
                max(begins, key=len).pop(-2)
            plan = [list(records) for records in zip(*begins)]
        if plan:
            records = plan.pop(0)
        else:
            records = [node.random(r, n) for n, node in enumerate(shown) if r.random() < 0.8]
            r.shuffle(records)
        payload = struct.pack("<HI", 1, len(records)) + b"".join(records)
        if options.garbage and r.random() < 0.5:
            device.send(garbage(r, device, frame(device.sequence + 1, CYCLES, payload)))
        answers = [side.ask(CYCLES, payload) for side in (device, reference)]
        for kind, answer in answers:
            if kind != CYCLES:
                sys.exit(f"host.py: cycle {cycles}: {answer[2:].decode()}")
        pins = [output_records(answer, sizes[0][1]) for _, answer in answers]
        if pins[0] != pins[1]:
            sys.exit(f"host.py: cycle {cycles}:\n  the device has    {pins[0]}\n  the reference has {pins[1]}")
        seen += sum(len(node) - 1 for node in pins[0].values())
        cycles += 1
    for side in (device, reference):
        if side.ask(GOODBYE, b"") != (GOODBYE, b""):
            sys.exit("host.py: no goodbye")
    print(f"{cycles} cycles of {nodes} nodes are the same, with {seen} items; asked again {device.asked_again} times")


# ---------------------------------------------------------------- refuses


def refuses(options):
    device = Device(options.device)
    asked = (2, 1, 1, 1, 128, 2, 2, 2, 0, 1)
    record = struct.pack("<IBI", 0, 2, 0)
    one = struct.pack("<HI", 1, 1)
    broken = "breaks the protocol"
    flit_bytes = bytes(17)
    cases = {
        "two cycles": (CYCLES, struct.pack("<H", 2) + (struct.pack("<I", 1) + record + b"\0") * 2, "one cycle"),
        "all nodes at once": (CYCLES, struct.pack("<HI", 1, 1 << 31 | 1) + record + b"\0", broken),
        "a node that is not there": (CYCLES, one + struct.pack("<IBI", 77, 2, 0) + b"\0", broken),
        "a node twice": (CYCLES, struct.pack("<HI", 1, 2) + (record + b"\0") * 2, broken),
        "a flag": (CYCLES, one + struct.pack("<IBI", 0, 18, 0) + b"\0", broken),
        "a reception queue": (CYCLES, one + struct.pack("<IBI", 0, 2, 1 << 31) + b"\0", broken),
        "an item of another kind": (CYCLES, one + record + b"\x04\0\0", broken),
        "a port": (CYCLES, one + record + b"\x01\x0a\0" + flit_bytes + b"\0", broken),
        "a channel of no link": (CYCLES, one + record + b"\x01\0\x04" + flit_bytes + b"\0", broken),
        "a mark": (CYCLES, one + record + b"\x01\0\0\x04" + bytes(16) + b"\0", broken),
        "a channel of a credit": (CYCLES, one + record + b"\x02\0\x04\x01\0", broken),
        "an amount": (CYCLES, one + record + b"\x02\0\0\x80\0", broken),
        "an injection queue": (CYCLES, one + record + b"\x03\x0c" + flit_bytes + b"\0", broken),
        "a short question": (CYCLES, one + record, broken),
        "no question": (CYCLES, b"", broken),
        "a long question": (CYCLES, one + record + b"\0\0", broken),
        "a question that does not end": (CYCLES, one + record + b"\0" + bytes(5000), "longer than"),
        "a hello in mid-session": (HELLO, bytes(60), "hello"),
        "a snapshot": (6, b"", "does not know"),
        "a goodbye with more": (GOODBYE, b"!", broken),
    }
    for name, (kind, payload, sentence) in cases.items():
        if device.hello(asked)[0] != WELCOME:
            sys.exit(f"host.py: before {name}: no welcome")
        # A question that is right, so that one knows that it is answered.
        if device.ask(CYCLES, one + record + b"\0")[0] != CYCLES:
            sys.exit(f"host.py: before {name}: no cycle")
        answer = device.ask(kind, payload)
        expect_refusal(name, answer, sentence)
        # Once more, the same.
        if device.ask_frame(device.question, device.sequence) != answer:
            sys.exit(f"host.py: {name}: another answer to the same question")
    expect_refusal("too many nodes", device.hello(asked, nodes=100), "fewer nodes")
    expect_refusal("far too many nodes", device.hello(asked, nodes=2000), "longer than")
    device.hello(asked)
    if device.ask(GOODBYE, b"")[0] != GOODBYE:
        sys.exit("host.py: no goodbye")
    expect_refusal("a cycle without a hello", device.ask(CYCLES, one + record + b"\0"), "hello")
    greeting = device.greeting
    for name, payload in (("short", greeting[:-1]), ("long", greeting + b"!"), ("hardly there", greeting[:5])):
        device.settle()
        expect_refusal(f"a {name} hello", device.ask(HELLO, bytes(random.randbytes(5)) + payload[5:]), broken)
    if device.hello(asked)[0] != WELCOME:
        sys.exit("host.py: no welcome at the end")
    print(f"{len(cases) + 6} questions are refused, and the device goes on")


def expect_refusal(name, answer, sentence):
    kind, payload = answer
    if kind != REFUSAL or sentence not in payload[2:].decode() or struct.unpack_from("<H", payload)[0] != len(payload) - 2:
        sys.exit(f"host.py: {name}: {answer}, expected a refusal with '{sentence}'")


def main():
    arguments = argparse.ArgumentParser(description="A host that asks more than an ordinary one")
    arguments.add_argument("what", choices=("same", "refuses"))
    arguments.add_argument("device")
    arguments.add_argument("reference", nargs="?")
    arguments.add_argument("--nodes", type=int, default=3)
    arguments.add_argument("--ports", type=int, default=2)
    arguments.add_argument("--cycles", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--garbage", action="store_true")
    options = arguments.parse_args()
    random.seed(options.seed)
    {"same": same, "refuses": refuses}[options.what](options)


if __name__ == "__main__":
    main()
