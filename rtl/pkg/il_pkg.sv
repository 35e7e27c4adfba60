// Interlace: the packet format and the registers' addresses (docs/node.md, sections 1 and 2)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of docs/node.md and of the field:
//   node                router with its network interface
//   channel of a port   input VC and its flit buffer; at the sender, the VC whose credits it counts
//   injection queue     source queue of the network interface
//   reception queue     ejection queue of the network interface
//   source              input buffer of the router: an input VC or an injection queue
//   sink                output port: allocation state and credit counters of its VCs; or an ejection port
//   head packet         packet at the front of an input buffer
//   route               set of output ports from route computation
//   branch, replication one copy of a multicast packet; asynchronous multicast inside the router
//   choices, escape     candidate output ports of adaptive routing; path on the escape VC
//   turn                rotating priority among the candidates
//   held, busy          output port or VC allocated to a packet; link that still serializes a flit
//   slot                index into the forwarding table; also the unit of bubble flow control, in flits
//   level               buffer occupancy or credits in quarters
//   deposit             multicast along a line, with a copy for each node on it
//   quiesce             drain an output port: start no new packet on it
//
// Arrays on ports are vectors, as `logic [Sinks*Sources-1:0] want_o`, with the order of the dimensions in brackets beside them
// ([sink][source]): Yosys 0.23, which Debian 12 has, reads no packed array of two dimensions.
package il_pkg;
  // Guards as in `if (il_pkg::Synthesis || request != '0)`: a simulation skips logic that would change nothing, to save
  // time; in hardware the guard would only cost gates.
`ifdef SYNTHESIS
  localparam bit Synthesis = 1'b1;
`else
  localparam bit Synthesis = 1'b0;
`endif

  localparam int unsigned LengthW = 7;  // 1 to 64 flits, and amounts of freed flits
  localparam int unsigned VcW = 2;
  localparam int unsigned CountW = 16;  // flits in a reception queue
  localparam int unsigned CyclesW = 8;  // that a flit keeps a link busy
  localparam int unsigned PortIndexW = 4;
  localparam int unsigned HopsW = 2;  // links that a packet has crossed, 3 for more
  localparam int unsigned RoutingW = 5;
  localparam int unsigned RoutingCoordinates = 0;  // bits of the register `routing`
  localparam int unsigned RoutingWraps = 1;
  localparam int unsigned RoutingAdaptive = 2;
  localparam int unsigned RoutingByCoordinates = 3;  // adaptive packets choose by coordinates, not by the table
  localparam int unsigned RoutingOnward = 4;  // no packet leaves by the link that it came by
  localparam int unsigned SlotDynamic = 11;          // bit of such a packet's slot: it may choose

  typedef enum logic [1:0] {
    KindExplicit = 2'd0,
    KindTable    = 2'd1,
    KindDeposit  = 2'd2,
    KindUnicast  = 2'd3
  } kind_e;

  // Word 0 of a packet.
  typedef struct packed {
    logic [1:0]  hops;
    logic [7:0]  checksum;
    logic [31:0] destination;
    logic [11:0] slot;
    logic [5:0]  length_minus_1;
    logic        group;
    logic        high;
    logic [1:0]  kind;
  } header_t;

  localparam logic [7:0] ChecksumSeed = 8'hA5;

  // The exclusive or of all eight bytes, the checksum's own field included, is the seed where the header is right.
  function automatic logic [7:0] fold(input logic [63:0] word);
    logic [63:0] unaligned;
    // The checksum lies in bits 61:54, which are no byte: it is taken out and folded on its own.
    unaligned = word;
    unaligned[61:54] = 8'h00;
    fold = unaligned[7:0] ^ unaligned[15:8] ^ unaligned[23:16] ^ unaligned[31:24] ^ unaligned[39:32] ^
        unaligned[47:40] ^ unaligned[55:48] ^ unaligned[63:56] ^ word[61:54];
  endfunction

  // `hops` after another link: one more, up to 3. Adding changes these bits by their exclusive or, and bits 7:6 of the checksum,
  // which are in the same place of their byte, alike.
  function automatic logic [1:0] hops_change(input logic [1:0] hops);
    hops_change = {hops == 2'd1, hops != 2'd3};
  endfunction

  // Whether packets that come by link port `port` can ever go to reception queue `queue`, if the register `receptions` says
  // `layout`, or, for AnyLayout, whatever it says.
  localparam int unsigned AnyLayout = 8;
  function automatic bit takes(input int unsigned ports, input int unsigned queue, input int unsigned port,
                               input int unsigned layout);
    int unsigned group;  // its queues
    group = (layout[0] ? ports : 1) + 32'(layout[1]);
    if (layout == AnyLayout)
      takes = queue == 0 || queue == port || queue == ports || queue == ports + port || queue == ports + 1 + port ||
          queue == 2 * ports + 1;
    else
      takes = queue < (layout[2] ? 2 * group : group) &&
          (queue % group == (layout[0] ? port : 0) || (layout[1] && queue % group == group - 1));
  endfunction

  // Sizes that follow from a node's parameters.
  function automatic int unsigned greater(input int unsigned a, input int unsigned b);
    greater = a > b ? a : b;
  endfunction
  function automatic int unsigned dimensions(input int unsigned ports);
    dimensions = greater(ports / 2, 1);
  endfunction
  // A table's entry: {channels, local, ports}.
  function automatic int unsigned entry_width(input int unsigned ports, input int unsigned vcs);
    entry_width = vcs + 1 + ports;
  endfunction
  // A packet that waits: {adaptive, hops, head, channels, route}, of which the head is {enters, escape, high, several branches, length}.
  localparam int unsigned HeadW = 1 + PortIndexW + 2 + LengthW;
  function automatic int unsigned packet_width(input int unsigned vcs, input int unsigned sinks);
    packet_width = 1 + HopsW + HeadW + vcs + sinks;
  endfunction

  // How full, or how free: how many of a quarter, a half and three quarters of `depth` `amount` has reached.
  function automatic logic [1:0] level(input logic [31:0] amount, input logic [31:0] depth);
    level = 2'((amount << 2) >= depth) + 2'((amount << 1) >= depth) + 2'((amount << 2) >= (depth << 1) + depth);
  endfunction

  // Cycles between pins and core of a pipelined node: docs/node.md, section 14.
  localparam int unsigned FlitsIn = 2;
  localparam int unsigned CreditsIn = 1;
  localparam int unsigned FlitsOut = 2;
  localparam int unsigned CreditsOut = 1;
  localparam int unsigned FlitsReceived = 3;

  localparam logic [1:0] StoreAndForward = 2'd0;
  localparam logic [1:0] VirtualCutThrough = 2'd1;
  localparam logic [1:0] Wormhole = 2'd2;

  localparam int unsigned AddressW = 16;
  localparam logic [AddressW-1:0] RegEnable = 16'd0;
  localparam logic [AddressW-1:0] RegSwitching = 16'd1;
  localparam logic [AddressW-1:0] RegVcs = 16'd2;
  localparam logic [AddressW-1:0] RegVcDepth = 16'd3;
  localparam logic [AddressW-1:0] RegReceptionDepth = 16'd4;
  localparam logic [AddressW-1:0] RegPorts = 16'd5;
  localparam logic [AddressW-1:0] RegReceptions = 16'd6;
  localparam logic [AddressW-1:0] RegInjectionDepth = 16'd7;
  localparam logic [AddressW-1:0] RegRouting = 16'd8;
  localparam logic [AddressW-1:0] RegClasses = 16'd9;
  localparam logic [AddressW-1:0] RegCyclesPerFlit = 16'd10;
  localparam logic [AddressW-1:0] RegAdaptive = 16'd11;
  localparam logic [AddressW-1:0] RegStatus = 16'd12;
  localparam logic [AddressW-1:0] RegQuiesce = 16'd13;
  localparam logic [AddressW-1:0] RegIdle = 16'd14;
  localparam logic [AddressW-1:0] RegDimension = 16'h10;  // + dimension
  localparam logic [AddressW-1:0] RegPort = 16'h20;       // + port
  localparam logic [AddressW-1:0] RegIdentification = 16'h30;
  localparam logic [AddressW-1:0] RegSizes = 16'h31;
  localparam logic [AddressW-1:0] RegDepths = 16'h32;
  localparam logic [AddressW-1:0] RegCounters = 16'h40;   // + 4 port + counter
  localparam logic [AddressW-1:0] RegTable = 16'h1000;    // + slot

  // A node with this contract: "il", version.
  localparam logic [31:0] Identification = 32'h6c69_0001;

  // What routing by dimension order needs to know of a port.
  localparam int unsigned CoordinateW = 16;
  typedef struct packed {
    logic                   minus;      // towards smaller coordinates
    logic [2:0]             dimension;
    logic [CoordinateW-1:0] length;     // of a hop
  } port_t;
  localparam int unsigned PortW = 4 + CoordinateW;

  // Bits of status_o.
  localparam int unsigned StatusW = 6;
  localparam int unsigned ErrorOverflow = 0;
  localparam int unsigned ErrorMalformed = 1;
  localparam int unsigned ErrorMisrouted = 2;
  localparam int unsigned ErrorCredit = 3;
  localparam int unsigned ErrorTooLong = 4;
  localparam int unsigned ErrorConfig = 5;
endpackage
