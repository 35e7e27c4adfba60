// Interlace: lists of parameters that several modules have
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// IL_... is what a module declares between #( and ), IL_PASS_... what it passes on, each without the comma at its end.
`ifndef IL_PARAMETERS_SVH
`define IL_PARAMETERS_SVH

// Of a node: link ports, channels of a link, queues.
`define IL_NODE_PORTS \
  parameter int unsigned Ports = 6, \
  parameter int unsigned Vcs = 4, \
  parameter int unsigned Injections = 8, \
  parameter int unsigned Receptions = 14
`define IL_PASS_NODE_PORTS \
  .Ports(Ports), \
  .Vcs(Vcs), \
  .Injections(Injections), \
  .Receptions(Receptions)

// All sizes of a node (docs/node.md, section 1).
`define IL_NODE_SIZES \
  `IL_NODE_PORTS, \
  parameter int unsigned FlitBits = 128, \
  parameter int unsigned VcDepth = 512, \
  parameter int unsigned InjectionDepth = 512, \
  parameter int unsigned ReceptionDepth = 512, \
  parameter int unsigned Slots = 1024, \
  parameter int unsigned Pipeline = 1
`define IL_PASS_NODE_SIZES \
  `IL_PASS_NODE_PORTS, \
  .FlitBits(FlitBits), \
  .VcDepth(VcDepth), \
  .InjectionDepth(InjectionDepth), \
  .ReceptionDepth(ReceptionDepth), \
  .Slots(Slots), \
  .Pipeline(Pipeline)

// For hardware of one configuration, FixedConfig: the registers that are the same in all nodes, as constants. Where the
// sizes of dimensions and the hops of ports are the same in all nodes, too, FixedCoordinates: of a torus, the registers
// `dimension`, bits 31:16, and `port`, 0 first.
`define IL_FIXED \
  parameter int unsigned FixedConfig = 0, \
  parameter logic [31:0] FixedSwitching = 32'd0, \
  parameter logic [31:0] FixedVcs = 32'd0, \
  parameter logic [31:0] FixedVcDepth = 32'd0, \
  parameter logic [31:0] FixedInjectionDepth = 32'd0, \
  parameter logic [31:0] FixedReceptionDepth = 32'd0, \
  parameter logic [31:0] FixedPorts = 32'd0, \
  parameter logic [31:0] FixedReceptions = 32'd0, \
  parameter logic [31:0] FixedRouting = 32'd0, \
  parameter logic [31:0] FixedClasses = 32'd0, \
  parameter logic [31:0] FixedCyclesPerFlit = 32'd0, \
  parameter logic [31:0] FixedAdaptive = 32'd0, \
  parameter int unsigned FixedCoordinates = 0, \
  parameter logic [5*il_pkg::CoordinateW-1:0] FixedSizes = '0, \
  parameter logic [10*il_pkg::PortW-1:0] FixedHops = '0
`define IL_PASS_FIXED \
  .FixedConfig(FixedConfig), \
  .FixedSwitching(FixedSwitching), \
  .FixedVcs(FixedVcs), \
  .FixedVcDepth(FixedVcDepth), \
  .FixedInjectionDepth(FixedInjectionDepth), \
  .FixedReceptionDepth(FixedReceptionDepth), \
  .FixedPorts(FixedPorts), \
  .FixedReceptions(FixedReceptions), \
  .FixedRouting(FixedRouting), \
  .FixedClasses(FixedClasses), \
  .FixedCyclesPerFlit(FixedCyclesPerFlit), \
  .FixedAdaptive(FixedAdaptive), \
  .FixedCoordinates(FixedCoordinates), \
  .FixedSizes(FixedSizes), \
  .FixedHops(FixedHops)

// Widths by which pins are counted.
`define IL_PIN_WIDTHS \
  localparam int unsigned LengthW = il_pkg::LengthW, \
  localparam int unsigned VcW = il_pkg::VcW

// What brings flits in: link ports and injection queues; and where they wait: the channels of links, then the injection
// queues.
`define IL_SOURCES \
  localparam int unsigned Inputs = Ports + Injections, \
  localparam int unsigned Links = Ports * Vcs, \
  localparam int unsigned Sources = Links + Injections
// ... and where they go: the links, then the reception queues.
`define IL_SOURCES_AND_SINKS \
  `IL_SOURCES, \
  localparam int unsigned SourceW = $clog2(Sources), \
  localparam int unsigned Sinks = Ports + Receptions

// Of the queues where flits wait: their depths (powers of two), bits of their pointers (at least $clog2 of each depth
// + 1), the pipelined node (docs/node.md, section 14), what the register `receptions` says (il_pkg::takes), and whether
// packets can leave by the link that they came by.
`define IL_QUEUES \
  `IL_NODE_PORTS, \
  parameter int unsigned VcDepth = 64, \
  parameter int unsigned InjectionDepth = 64, \
  parameter int unsigned PtrW = 7, \
  parameter bit Pipelined = 1'b0, \
  parameter int unsigned Layout = il_pkg::AnyLayout, \
  parameter bit TurnBack = 1'b1
`define IL_PASS_QUEUES \
  `IL_PASS_NODE_PORTS, \
  .VcDepth(VcDepth), \
  .InjectionDepth(InjectionDepth), \
  .PtrW(PtrW), \
  .Pipelined(Pipelined), \
  .Layout(Layout), \
  .TurnBack(TurnBack)

// Of a route: the link port that the packet came by, or else an injection queue (FromLink 0), bits of a slot, of a depth,
// and of coordinates to calculate with (twice as many as a dimension is long). Pipelined, room is asked for the longest
// packet.
`define IL_ROUTE \
  parameter int unsigned Ports = 6, \
  parameter int unsigned Vcs = 4, \
  parameter int unsigned Receptions = 14, \
  parameter int unsigned Port = 0, \
  parameter int unsigned SlotW = 6, \
  parameter int unsigned DepthW = 7, \
  parameter bit FromLink = 1'b1, \
  parameter bit Pipelined = 1'b0, \
  parameter int unsigned Layout = il_pkg::AnyLayout, \
  parameter int unsigned CoordinateBits = il_pkg::CoordinateW, \
  localparam int unsigned Sinks = Ports + Receptions, \
  localparam int unsigned EntryW = il_pkg::entry_width(Ports, Vcs), \
  localparam int unsigned Dimensions = il_pkg::dimensions(Ports), \
  localparam int unsigned CoordinateW = il_pkg::CoordinateW

// Of a sink: its sources and channels, bits of pointers and of credits, the bits of round_robin_every_i that can be 1, and
// whether never more credits come back than were taken (Trusted).
`define IL_SINK \
  parameter int unsigned Sources = 4, \
  parameter int unsigned Vcs = 1, \
  parameter int unsigned PtrW = 7, \
  parameter int unsigned CreditW = 10, \
  parameter int unsigned EveryW = 8, \
  parameter bit Trusted = 1'b0, \
  localparam int unsigned SourceW = $clog2(Sources), \
  `IL_PIN_WIDTHS

// Of a link (docs/links.md): SeqBits of a sequence number are in use. A flit is {tail, head, words}, a frame {CRC, words,
// 0, tail, head, channel, epoch, number}, what goes back {CRC, freed by channel, 0, epoch, expected}.
`define IL_LINK \
  parameter int unsigned FlitBits = 128, \
  parameter int unsigned Vcs = 4, \
  parameter int unsigned SeqBits = 16, \
  localparam int unsigned FlitW = FlitBits + 2, \
  localparam int unsigned FrameW = FlitBits + 64, \
  localparam int unsigned BackW = 128, \
  localparam int unsigned VcW = 2, \
  localparam int unsigned CreditW = 7
`define IL_PASS_LINK \
  .FlitBits(FlitBits), \
  .Vcs(Vcs), \
  .SeqBits(SeqBits)

`endif
