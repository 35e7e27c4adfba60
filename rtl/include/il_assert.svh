// Interlace: assertions with a name and a sentence
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`ifndef IL_ASSERT_SVH
`define IL_ASSERT_SVH

// A statement in a block with a clock, or of combinational logic in always_comb. Where Property does not hold, a simulator says Name (what should hold, in
// snake_case) and Message (what is wrong, a sentence), and stops. Yosys 0.23 reads no message, and takes the turns of a
// loop for several assertions of one name.
`ifdef YOSYS
`define IL_ASSERT(Name, Property, Message) assert (Property)
`define IL_ASSERT_KNOWN(Name, Signals, Message)
`else
`define IL_ASSERT(Name, Property, Message) Name: assert (Property) else $error(Message)
// No bit of Signals is x or z: for simulators with four states, of which Verilator is none.
`define IL_ASSERT_KNOWN(Name, Signals, Message) Name: assert (!$isunknown(Signals)) else $error(Message)
`endif

`endif
