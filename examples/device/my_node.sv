// Interlace: an example of a router of one's own: packets wait in one memory, and at most one flit moves in a cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0

// Store and forward through one central memory with one port (docs/hil.md, "Without registers"):
//
//   links ----> landing queues --+                       +--> links
//   (Vcs each)  (what credits    |    +-------------+    |
//                count)          +--> | one memory, | ---+
//   host -----> landing queues --+    |  one port   |    +--> reception queues ---> host
//   (injection queues)                +-------------+
//
// Each source (a channel of a link, or an injection queue) has room for one packet in the memory. In each cycle the
// scheduler gives the memory to one *job*: a source writes the next flit that has landed, or a sink (a link, or a
// reception queue) reads the next flit of the packet that it sends. The jobs take turns. When a packet is whole in the
// memory, the sinks that it goes to take it one by one, each when it is its turn to look, and each reads it at its own
// pace: so a packet with several links in its mask is replicated. When the last has read the tail, the source's room
// takes the next packet.
module my_node #(
  parameter int unsigned Ports = 6,
  parameter int unsigned Vcs = 1,
  parameter int unsigned Injections = 1,
  parameter int unsigned Receptions = 1,  // 1, or one a port
  parameter int unsigned FlitBits = 128,
  parameter int unsigned VcDepth = 64,
  parameter int unsigned InjectionDepth = 64,
  parameter int unsigned ReceptionDepth = 64,
  parameter int unsigned PacketFlits = 64,  // the longest packet
  parameter int unsigned CyclesPerFlit = 1  // for how long a flit keeps a link busy
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic [Ports-1:0]                    link_valid_i,
  input  logic [Ports-1:0][1:0]               link_vc_i,
  input  logic [Ports-1:0][FlitBits+1:0]      link_flit_i,  // {tail, head, data}
  output logic [Ports-1:0]                    link_valid_o,
  output logic [Ports-1:0][1:0]               link_vc_o,
  output logic [Ports-1:0][FlitBits+1:0]      link_flit_o,
  input  logic [Ports*Vcs-1:0][6:0]           credit_i,
  output logic [Ports*Vcs-1:0][6:0]           credit_o,
  input  logic [Injections-1:0]               inj_valid_i,
  input  logic [Injections-1:0][FlitBits+1:0] inj_flit_i,
  output logic [Injections-1:0][6:0]          inj_credit_o,
  output logic [Receptions-1:0]               rx_valid_o,
  output logic [Receptions-1:0][FlitBits+1:0] rx_flit_o,
  input  logic [Receptions-1:0]               rx_ready_i
);
  // Source v + Vcs p is channel v of port p; the injection queues follow. Sink p is link p; the reception queues follow.
  localparam int unsigned Channels = Ports * Vcs;
  localparam int unsigned Sources = Channels + Injections;
  localparam int unsigned Sinks = Ports + Receptions;
  localparam int unsigned Jobs = Sources + Sinks;

  localparam int unsigned SourceBits = $clog2(Sources);
  localparam int unsigned SinkBits = $clog2(Sinks);
  localparam int unsigned PlaceBits = PacketFlits > 1 ? $clog2(PacketFlits) : 1;  // a flit's place in its packet
  localparam int unsigned LengthBits = $clog2(PacketFlits + 1);
  localparam int unsigned CreditBits = $clog2(VcDepth + 1);
  localparam int unsigned RoomBits = $clog2(ReceptionDepth + 1);

  typedef logic [FlitBits+1:0] flit_t;
  typedef logic [LengthBits-1:0] length_t;

  localparam int unsigned Head = FlitBits;  // bits of a flit
  localparam int unsigned Tail = FlitBits + 1;
  localparam int unsigned Mask = 10;  // of word 0: the link ports of an explicit packet

  // ---- What has landed: here the flits are that neighbours and host have paid credits for.
  logic [Sources-1:0] arrives, landed, fetch;
  flit_t arriving[Sources];
  flit_t front[Sources];

  for (genvar s = 0; s < int'(Sources); ++s) begin : g_landing
    if (s < int'(Channels)) begin : g_link
      localparam int unsigned Port = s / Vcs;
      assign arrives[s] = link_valid_i[Port] && link_vc_i[Port] == 2'(s % Vcs);
      assign arriving[s] = link_flit_i[Port];
    end else begin : g_injection
      assign arrives[s] = inj_valid_i[s-Channels];
      assign arriving[s] = inj_flit_i[s-Channels];
    end
    my_node_queue #(
      .Width(FlitBits + 2),
      .Depth(s < int'(Channels) ? VcDepth : InjectionDepth)
    ) i_queue (
      .clk_i, .rst_ni,
      .push_i (arrives[s]), .data_i(arriving[s]),
      .valid_o(landed[s]),  .data_o(front[s]), .pop_i(fetch[s])
    );
  end

  // ---- The packet of each source that is in the memory, or on its way there.
  logic [Sources-1:0] whole_q;                // all of it is there
  length_t            stored_q[Sources];      // so many flits of it are there
  logic [Sinks-1:0]   pending_q[Sources];     // sinks that have not read its tail

  // ---- What each sink does.
  logic [Sinks-1:0]      held_q;              // it reads a packet:
  logic [SourceBits-1:0] from_q[Sinks];       //   of this source
  length_t               next_q[Sinks];       //   this flit is next
  logic [1:0]            channel_q[Sinks];    //   by this channel
  logic [Sinks-1:0]      ready;               // it can take a flit

  // ---- The scheduler: one job a cycle has the memory.
  logic [Jobs-1:0] wants, turn;  // writes of sources, then reads of sinks
  for (genvar s = 0; s < int'(Sources); ++s) begin : g_write
    assign wants[s] = landed[s] && !whole_q[s];
    assign fetch[s] = turn[s];
  end
  for (genvar k = 0; k < int'(Sinks); ++k) begin : g_read
    assign wants[Sources+k] = held_q[k] && ready[k];
  end
  my_node_turns #(.Count(Jobs)) i_turns (.clk_i, .rst_ni, .wants_i(wants), .turn_o(turn));

  logic                  write, read, last;
  logic [SourceBits-1:0] owner;    // whose room the job is about
  logic [SinkBits-1:0]   reader;   // who reads
  length_t               place;
  flit_t                 written, memory_q;
  always_comb begin
    write = |turn[Sources-1:0];
    read = |turn[Jobs-1:Sources];
    owner = '0;
    reader = '0;
    place = '0;
    written = '0;
    for (int unsigned s = 0; s < Sources; ++s) begin
      if (turn[s]) begin
        owner = SourceBits'(s);
        place = stored_q[s];
        written = front[s];
      end
    end
    for (int unsigned k = 0; k < Sinks; ++k) begin
      if (turn[Sources+k]) begin
        reader = SinkBits'(k);
        owner = from_q[k];
        place = next_q[k];
      end
    end
    last = read && place + 1'b1 == stored_q[owner];
  end

  my_node_memory #(.Width(FlitBits + 2), .Words(Sources << PlaceBits)) i_memory (
    .clk_i,
    .write_i  (write),
    .address_i({owner, place[PlaceBits-1:0]}),
    .data_i   (written),
    .data_o   (memory_q)
  );

  // Where the packet goes whose flit is written: said by its head, by what came with it since.
  logic [Sinks-1:0] route;
  always_comb begin
    route = pending_q[owner];
    if (written[Head]) begin
      route = '0;
      if (int'(owner) >= int'(Channels)) begin
        route[Ports-1:0] = written[Mask+:Ports];
      end else begin
        route[Ports + (Receptions > 1 ? int'(owner) / Vcs : 0)] = 1'b1;
      end
    end
  end

  // ---- Starts: in each cycle one sink looks whether a packet waits for it that has room behind it.
  logic [SinkBits-1:0]   look_q;
  logic [SourceBits-1:0] latest_q[Sinks];     // the source whose packet it took last
  logic [CreditBits-1:0] credits_q[Channels];
  logic                  start;
  logic [SourceBits-1:0] chosen;
  logic [1:0]            channel;

  // The lowest channel of a link with room for a whole packet: {there is one, its number}.
  function automatic logic [2:0] room_of(logic [SinkBits-1:0] sink, length_t length);
    room_of = '0;
    for (int unsigned v = Vcs; v > 0; --v) begin
      if (32'(credits_q[int'(sink) * Vcs + v - 1]) >= 32'(length)) room_of = {1'b1, 2'(v - 1)};
    end
  endfunction

  always_comb begin
    logic [2:0] room;
    start = 1'b0;
    chosen = '0;
    channel = '0;
    // From the one after the latest on and round; the last that is found is the first in that order.
    for (int unsigned i = Sources; i > 0; --i) begin
      logic [SourceBits-1:0] s;
      s = SourceBits'((32'(latest_q[look_q]) + i) % Sources);
      room = 32'(look_q) < Ports ? room_of(look_q, stored_q[s]) : 3'b100;
      if (!held_q[look_q] && whole_q[s] && pending_q[s][look_q] && room[2]) begin
        start = 1'b1;
        chosen = s;
        channel = room[1:0];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      look_q <= '0;
      held_q <= '0;
      whole_q <= '0;
      for (int unsigned s = 0; s < Sources; ++s) begin
        stored_q[s] <= '0;
        pending_q[s] <= '0;
      end
      for (int unsigned k = 0; k < Sinks; ++k) begin
        from_q[k] <= '0;
        next_q[k] <= '0;
        channel_q[k] <= '0;
        latest_q[k] <= '0;
      end
    end else begin
      look_q <= 32'(look_q) == Sinks - 1 ? '0 : look_q + 1'b1;
      if (start) begin
        held_q[look_q] <= 1'b1;
        from_q[look_q] <= chosen;
        next_q[look_q] <= '0;
        channel_q[look_q] <= channel;
        latest_q[look_q] <= chosen;
      end
      if (write) begin
        pending_q[owner] <= route;
        stored_q[owner] <= stored_q[owner] + 1'b1;
        if (written[Tail]) begin
          whole_q[owner] <= |route;
          if (route == '0) stored_q[owner] <= '0;  // goes nowhere: forgotten
        end
      end
      if (read) begin
        next_q[reader] <= place + 1'b1;
        if (last) begin
          held_q[reader] <= 1'b0;
          pending_q[owner][reader] <= 1'b0;
          if (pending_q[owner] == Sinks'(1) << reader) begin
            whole_q[owner] <= 1'b0;
            stored_q[owner] <= '0;
          end
        end
      end
    end
  end

  // ---- Credits: those of the channels behind the links, and those given back for what has left a landing queue.
  logic [Channels-1:0]   freed_q;
  logic [Injections-1:0] injected_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      freed_q <= '0;
      injected_q <= '0;
      for (int unsigned c = 0; c < Channels; ++c) credits_q[c] <= CreditBits'(VcDepth);
    end else begin
      freed_q <= fetch[Channels-1:0];
      injected_q <= fetch[Sources-1:Channels];
      for (int unsigned c = 0; c < Channels; ++c) begin
        credits_q[c] <= credits_q[c] + CreditBits'(credit_i[c])
            - (start && 32'(look_q) == c / Vcs && 32'(channel) == c % Vcs ? CreditBits'(stored_q[chosen]) : '0);
      end
    end
  end
  for (genvar c = 0; c < int'(Channels); ++c) begin : g_credit
    assign credit_o[c] = {6'd0, freed_q[c]};
  end
  for (genvar i = 0; i < int'(Injections); ++i) begin : g_injection_credit
    assign inj_credit_o[i] = {6'd0, injected_q[i]};
  end

  // ---- Sinks: what was read in a cycle is in the memory's register in the next: on the link, or into the queue.
  logic [Sinks-1:0] reads_q;  // who has read, one at most
  always_ff @(posedge clk_i) reads_q <= rst_ni ? turn[Jobs-1:Sources] : '0;

  for (genvar p = 0; p < int'(Ports); ++p) begin : g_link_out
    logic [1:0] by_q;
    logic [7:0] busy_q;  // cycles until the next flit may follow
    always_ff @(posedge clk_i) begin
      by_q <= channel_q[p];  // of the packet that was read, as a start in that very cycle may change it
      if (!rst_ni) begin
        busy_q <= '0;
      end else if (turn[Sources+p]) begin
        busy_q <= 8'(CyclesPerFlit - 1);
      end else if (busy_q != '0) begin
        busy_q <= busy_q - 1'b1;
      end
    end
    assign ready[p] = busy_q == '0;
    assign link_valid_o[p] = reads_q[p];
    assign link_vc_o[p] = reads_q[p] ? by_q : '0;
    assign link_flit_o[p] = reads_q[p] ? memory_q : '0;
  end

  for (genvar r = 0; r < int'(Receptions); ++r) begin : g_reception
    logic [RoomBits-1:0] room_q;  // what is on its way there counts as there
    logic taken;
    flit_t oldest;
    assign taken = rx_valid_o[r] && rx_ready_i[r];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) room_q <= RoomBits'(ReceptionDepth);
      else room_q <= room_q + RoomBits'(taken) - RoomBits'(turn[Sources+Ports+r]);
    end
    assign ready[Ports+r] = room_q != '0;
    my_node_queue #(.Width(FlitBits + 2), .Depth(ReceptionDepth)) i_queue (
      .clk_i, .rst_ni,
      .push_i (reads_q[Ports+r]), .data_i(memory_q),
      .valid_o(rx_valid_o[r]),    .data_o(oldest), .pop_i(taken)
    );
    assign rx_flit_o[r] = rx_valid_o[r] ? oldest : '0;
  end

`ifndef SYNTHESIS
  initial begin
    if (Vcs < 1 || Vcs > 4) $fatal(1, "Vcs is 1 to 4");
    if (Receptions != 1 && Receptions != Ports) $fatal(1, "Receptions is 1 or Ports");
    if (PacketFlits < 1 || PacketFlits > 64 || PacketFlits > VcDepth) $fatal(1, "PacketFlits is 1 to 64 and VcDepth at most");
  end
`endif
endmodule

// A queue with its oldest entry in view. Nothing is pushed into a full one: credits see to that.
module my_node_queue #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 2  // a power of two
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o,
  input  logic             pop_i
);
  localparam int unsigned Bits = $clog2(Depth);
  logic [Width-1:0] entries_q[Depth];
  logic [Bits:0] written_q, read_q;  // one bit more than a place: full and empty differ in it
  assign valid_o = written_q != read_q;
  assign data_o = entries_q[read_q[Bits-1:0]];
  always_ff @(posedge clk_i) begin
    if (push_i) entries_q[written_q[Bits-1:0]] <= data_i;
    if (!rst_ni) begin
      written_q <= '0;
      read_q <= '0;
    end else begin
      if (push_i) written_q <= written_q + 1'b1;
      if (pop_i) read_q <= read_q + 1'b1;
    end
  end
endmodule

// A memory with one port: a word is written, or one is read and is on data_o from the next cycle on.
module my_node_memory #(
  parameter int unsigned Width = 8,
  parameter int unsigned Words = 2,
  localparam int unsigned Bits = $clog2(Words)
) (
  input  logic             clk_i,
  input  logic             write_i,
  input  logic [Bits-1:0]  address_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);
  logic [Width-1:0] words_q[Words];
  always_ff @(posedge clk_i) begin
    if (write_i) words_q[address_i] <= data_i;
    else data_o <= words_q[address_i];
  end
endmodule

// Round robin: of those who want, the first after the one who had the latest turn.
module my_node_turns #(
  parameter int unsigned Count = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Count-1:0] wants_i,
  output logic [Count-1:0] turn_o
);
  logic [Count-1:0] behind_q;  // those after the latest, as a mask
  logic [Count-1:0] later, among;
  assign later = wants_i & behind_q;
  assign among = later != '0 ? later : wants_i;
  assign turn_o = among & (~among + 1'b1);  // the lowest
  always_ff @(posedge clk_i) begin
    if (!rst_ni) behind_q <= '1;
    else if (turn_o != '0) behind_q <= ~(turn_o | (turn_o - 1'b1));
  end
endmodule
