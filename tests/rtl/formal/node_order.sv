// Interlace: il_node brings every flit of a source to its sink once, in order and as it was, and gives its credit back as it
// moves (docs/node.md, sections 4 and 5)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module node_order_proof #(
  parameter int unsigned Pipeline = 1  // or 7
) (
  input logic        clk_i,
  input logic [2:0]  valid_i,        // by link 0, link 1, the injection queue
  input logic [3*7-1:0] flit_i,      // each: {data, local, way, long}
  input logic [1:0]  give_i,         // a credit to link sink 0, 1
  input logic        ready_i,
  input logic [1:0]  source_i,       // what is watched: a source ...
  input logic [1:0]  sink_i,         // ... a sink, ...
  input logic        mark_i          // ... and the first flit from here on that comes by the one for the other
);
  localparam int unsigned Depth = 2;
  logic rst_q;
  logic [1:0] boot_q;                // registers written
  logic [2:0] room_q [3];
  logic [2:0] out_q [2];
  logic [2:0] left_q;                // a packet's second flit is still to come
  logic [1:0] to_q [3];              // and where it goes
  logic [1:0] source_q, sink_q;
  logic watching_q;
  logic [7:0] marked_q;
  logic [2:0] inside_q, before_q;    // flits that are watched in the node; those in front of the marked one
  logic [20:0] credit;
  logic [1:0] link_valid;
  logic [2*66-1:0] link_flit;
  logic rx_valid, popped_q;
  logic [15:0] rx_count, count_q;
  logic [65:0] rx_flit;
  logic [15:0] freed, on_links, on_links_q;
  logic [31:0] freed_q;              // of the last cycle, and of the one before
  logic [6:0] freed_of_host_q;
  assign freed = 16'(credit[6:0]) + 16'(credit[13:7]) + 16'(credit[20:14]);
  assign on_links = 16'(link_valid[0]) + 16'(link_valid[1]);
  initial {rst_q, boot_q} = '0;

  il_node #(
    .Ports(2), .Vcs(1), .Injections(1), .Receptions(1), .FlitBits(64), .VcDepth(Depth), .InjectionDepth(Depth),
    .ReceptionDepth(Depth), .Slots(2), .FixedConfig(1), .FixedSwitching(1), .FixedVcs(1), .FixedVcDepth(Depth),
    .FixedInjectionDepth(Depth), .FixedReceptionDepth(Depth), .FixedPorts(3),
    .Pipeline(Pipeline), .FixedAdaptive(32'(Depth) << 8)
  ) dut (
    .clk_i, .rst_ni(rst_q), .clk_en_i(1'b1), .cfg_read_i(1'b0), .cfg_data_o(),
    .cfg_valid_i(boot_q != 2'd3),
    .cfg_addr_i(boot_q == 2'd2 ? 16'd0 : 16'h1000 + 16'(boot_q)), .cfg_data_i(boot_q == 2'd2 ? 32'd1 : 32'd1 << boot_q),
    .link_valid_i(valid_i[1:0]), .link_vc_i('0), .link_flit_i(flits[131:0]), .credit_i({6'd0, give_i[1], 6'd0, give_i[0]}),
    .link_valid_o(link_valid), .link_vc_o(), .link_flit_o(link_flit), .credit_o(credit[13:0]),
    .inj_valid_i(valid_i[2]), .inj_flit_i(flits[197:132]), .inj_credit_o(credit[20:14]),
    .rx_ready_i(ready_i), .rx_valid_o(rx_valid), .rx_flit_o(rx_flit), .rx_count_o(rx_count), .stall_o(), .status_o()
  );

  // Packets of one or two flits with one branch: from links here, or by the table to link 0 or 1; injected for a link by mask
  // or by the table. Every flit tells its source, and has four bits that are compared; the rest only passes through.
  il_pkg::header_t header;
  logic comes, leaves, enters, long;
  logic [1:0] to;
  logic [65:0] flit, left_by;
  logic [3*66-1:0] flits;
  always_comb begin
    enters = 1'b0;
    flit = '0;
    flits = '0;
    for (int i = 0; i < 3; i++) begin
      header = '0;
      long = flit_i[7*i];
      to = left_q[i] ? to_q[i] : flit_i[7*i+2] && i < 2 ? 2'd2 : {1'b0, flit_i[7*i+1]};
      header.destination = 32'({flit_i[7*i+3 +: 4], 2'(i)});
      if (!left_q[i]) begin
        header.kind = flit_i[7*i+2] ? il_pkg::KindExplicit : il_pkg::KindTable;
        header.slot = !flit_i[7*i+2] ? 12'(flit_i[7*i+1]) : i < 2 ? 12'd0 : flit_i[7*i+1] ? 12'd2 : 12'd1;
        header.length_minus_1 = 6'(long);
        header.checksum = il_pkg::ChecksumSeed ^ il_pkg::fold(header);
      end
      flits[66*i +: 66] = {left_q[i] || !long, !left_q[i], header};
      if (valid_i[i]) begin
        assume (room_q[i] != '0);
        if (source_i == 2'(i) && to == sink_i) begin
          enters = 1'b1;
          flit = flits[66*i +: 66];
        end
      end
    end
    left_by = sink_i == 2'd2 ? rx_flit : sink_i[0] ? link_flit[131:66] : link_flit[65:0];
    comes = sink_i == 2'd2 ? rx_valid && ready_i : sink_i[0] ? link_valid[1] : link_valid[0];
    leaves = comes && left_by[23:22] == source_i;
  end

  always_ff @(posedge clk_i) begin
    rst_q <= 1'b1;
    source_q <= source_i;
    sink_q <= sink_i;
    if (!rst_q) begin
      for (int i = 0; i < 3; i++) room_q[i] <= 3'(Depth);
      for (int p = 0; p < 2; p++) out_q[p] <= '0;
      {left_q, watching_q, inside_q, popped_q, count_q, freed_q, freed_of_host_q, on_links_q} <= '0;
    end else begin
      assume (source_i == source_q && sink_i == sink_q && source_i != 2'd3 && sink_i != 2'd3);
      if (boot_q != 2'd3) begin
        boot_q <= boot_q + 2'd1;
        assume (valid_i == '0 && give_i == '0);
      end else begin
        for (int i = 0; i < 3; i++) begin
          room_q[i] <= 3'(7'(room_q[i]) + credit[7*i +: 7] - 7'(valid_i[i]));
          if (valid_i[i]) begin
            left_q[i] <= !left_q[i] && flit_i[7*i];
            if (!left_q[i]) to_q[i] <= flit_i[7*i+2] && i < 2 ? 2'd2 : {1'b0, flit_i[7*i+1]};
          end
        end
        for (int p = 0; p < 2; p++) begin
          assume (!give_i[p] || out_q[p] + 3'(link_valid[p]) != '0);
          out_q[p] <= out_q[p] + 3'(link_valid[p]) - 3'(give_i[p]);
        end
        popped_q <= rx_valid && ready_i;
        count_q <= rx_count;
        // Credits come back as flits move; pipelined, a cycle before they are on the link, and two before they are in the reception queue.
        freed_q <= {freed_q[15:0], freed};
        freed_of_host_q <= credit[20:14];
        on_links_q <= on_links;
        assert ((Pipeline == 1 ? freed : freed_q[31:16]) ==
                (Pipeline == 1 ? on_links : on_links_q) + rx_count - count_q + 16'(popped_q));
        assert ((Pipeline == 1 ? credit[20:14] : freed_of_host_q) ==
                7'(link_valid[0] && link_flit[23:22] == 2'd2) + 7'(link_valid[1] && link_flit[66+23:66+22] == 2'd2));
        inside_q <= inside_q + 3'(enters) - 3'(leaves);
        assert (!leaves || inside_q != '0);  // what leaves has come, and not left before
        if (watching_q) begin
          if (leaves && before_q == '0) begin
            assert ({left_by[65:64], left_by[27:22]} == marked_q);
            watching_q <= 1'b0;
          end
          if (leaves) before_q <= before_q - 3'd1;
        end else if (enters && mark_i) begin
          watching_q <= 1'b1;
          marked_q <= {flit[65:64], flit[27:22]};
          before_q <= inside_q - 3'(leaves);
        end
      end
    end
  end
endmodule
