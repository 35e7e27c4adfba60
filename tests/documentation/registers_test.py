# Interlace: the register map and the pin widths of docs/node.md, and their copies in C++, SystemVerilog and CMake
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""docs/node.md is the contract. RTL and SystemC keep copies of their own on purpose; lockstep compares what their registers do."""
import os
import pathlib
import re
import unittest

root = pathlib.Path(os.environ["INTERLACE_ROOT"])
page = (root / "docs" / "node.md").read_text()
flit_bits = 130  # of the emulator: head, tail and two words (docs/node.md, section 9)


def in_camel_case(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def registers() -> dict[str, int]:
    """Of the table below "A node has these registers"."""
    table = page[page.index("A node has these registers") :]
    return {name: int(address, 0) for name, address in re.findall(r"^\| `([a-z_]+)` \| (0x[0-9a-f]+|\d+)\b", table[: table.index("- **1.6**")], re.MULTILINE)}


def widths() -> dict[str, str]:
    """Bits of each pin, as section 3 writes them: "P x 2"."""
    pins = {}
    for names, bits in re.findall(r"^\| (`[a-z_/]+(?:`, `[a-z_/]+)*`) \| ([^|]+) \|", page, re.MULTILINE):
        each = [name.strip("` ") for name in names.split(",")]
        widths = [width.strip() for width in bits.split(",")]
        for index, name in enumerate(each):
            width = widths[index] if len(widths) > 1 else widths[0]
            stem, _, other = name.partition("/")
            pins[stem] = width
            if other:
                pins[stem[: -len(other)] + other] = width
    return pins


class Registers(unittest.TestCase):
    def test_the_page_has_them_all(self) -> None:
        self.assertEqual(len(registers()), 22)

    def test_are_those_of_the_host(self) -> None:
        header = (root / "host/engine/fabric/include/interlace/engine/fabric/registers.h").read_text()
        block = header[header.index("enum : std::uint32_t {") : header.index("};", header.index("enum"))]
        found = {name: int(value, 0) for name, value in re.findall(r"^\s+([a-z_]+) = (0x[0-9a-f]+|\d+)", block, re.MULTILINE)}
        self.assertEqual(found, registers())

    def test_are_those_of_rtl(self) -> None:
        package = (root / "rtl/pkg/il_pkg.sv").read_text()
        found = {name: int(value, 16 if base == "h" else 10) for name, base, value in re.findall(r"\bReg([A-Z]\w*) = 16'([dh])([0-9a-f]+)", package)}
        self.assertEqual(found, {in_camel_case(name): address for name, address in registers().items()})


class Pins(unittest.TestCase):
    def test_cmake_checks_the_widths_of_the_page(self) -> None:
        script = (root / "cmake/InterlacePins.cmake").read_text()
        counts = {"${ports}": "P", "${bits_inj_valid_i}": "I", "${bits_rx_valid_o}": "R"}
        checked = re.findall(r"\b([a-z_]+_[io]):([0-9*${}a-z_]+):(\$\{[a-z_]+\})", script[script.index("foreach(expected") :])
        self.assertEqual(len(checked), 11)
        for pin, each, count in checked:
            with self.subTest(pin=pin):
                expected = {"1": "", "7*${vcs}": " x V x 7", str(flit_bits): " x (FlitBits + 2)"}.get(each, f" x {each}")
                self.assertEqual(widths()[pin], counts[count] + expected)


if __name__ == "__main__":
    unittest.main()
