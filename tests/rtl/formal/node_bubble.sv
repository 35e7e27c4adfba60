// Interlace: two adaptive nodes in a ring always leave a slot of its escape channels free (docs/node.md, section 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module node_bubble_proof (
  input logic       clk_i,
  input logic [1:0] valid_i,      // a packet of one flit is injected at node 0, node 1 ...
  input logic [3:0] to_i,         // ... for each: 0 and 1 a node, 2 and 3 round and round, up or down
  input logic [1:0] ready_i
);
  // They take themselves for nodes 0 and 1 of eight in a ring, so that packets to others never end: the ring gets as full as it can.
  localparam int unsigned Depth = 2;
  localparam int unsigned Boot = 4;
  localparam int unsigned Up = 0, Down = 1;   // ports, and directions of the ring
  logic rst_q;
  logic [2:0] boot_q;
  logic [1:0] room_q [2];           // of injection queues
  logic [1:0] used_q [2][2];        // [direction][receiver]: flits of its channel whose credits are not back
  logic [15:0] address;
  logic [31:0] data [2];
  logic [1:0] link_valid [2];
  logic [131:0] link_flit [2];
  logic [13:0] credit [2];
  logic [6:0] inj_credit [2];
  il_pkg::header_t header;
  logic [2*66-1:0] flits;
  initial {rst_q, boot_q} = '0;

  always_comb begin
    address = '0;
    data[0] = 32'd1;
    data[1] = 32'd1;
    case (boot_q)
      3'd0: begin address = il_pkg::RegDimension; data[0] = {16'd8, 16'd0}; data[1] = {16'd8, 16'd1}; end
      3'd1: begin address = il_pkg::RegPort + 16'(Up); end
      3'd2: begin address = il_pkg::RegPort + 16'(Down); data[0] = 32'h8_0001; data[1] = 32'h8_0001; end
      default: ;
    endcase
    for (int n = 0; n < 2; n++) begin
      header = '0;
      header.kind = il_pkg::KindUnicast;
      header.destination = !to_i[2*n+1] ? 32'(to_i[2*n]) : to_i[2*n] ? 32'd3 : 32'd6;
      header.checksum = il_pkg::ChecksumSeed ^ il_pkg::fold(header);
      flits[66*n +: 66] = {2'b11, header};
    end
  end

  for (genvar n = 0; n < 2; n++) begin : gen_node
    il_node #(
      .Ports(2), .Vcs(1), .Injections(1), .Receptions(1), .FlitBits(64), .VcDepth(Depth), .InjectionDepth(Depth),
      .ReceptionDepth(Depth), .Slots(2), .FixedConfig(1), .FixedSwitching(1), .FixedVcs(1), .FixedVcDepth(Depth),
      .FixedInjectionDepth(Depth), .FixedReceptionDepth(Depth), .FixedPorts(3), .FixedRouting(7), .FixedAdaptive(32'h110)
    ) dut (
      .clk_i, .rst_ni(rst_q), .clk_en_i(1'b1), .cfg_read_i(1'b0), .cfg_data_o(),
      .cfg_valid_i(boot_q != 3'(Boot)), .cfg_addr_i(address), .cfg_data_i(data[n]),
      // What is sent up comes by the port that leads down.
      .link_valid_i({link_valid[1-n][Up], link_valid[1-n][Down]}), .link_vc_i('0),
      .link_flit_i({link_flit[1-n][65:0], link_flit[1-n][131:66]}), .credit_i({credit[1-n][6:0], credit[1-n][13:7]}),
      .link_valid_o(link_valid[n]), .link_vc_o(), .link_flit_o(link_flit[n]), .credit_o(credit[n]),
      .inj_valid_i(valid_i[n]), .inj_flit_i(flits[66*n +: 66]), .inj_credit_o(inj_credit[n]),
      .rx_ready_i(ready_i[n]), .rx_valid_o(), .rx_flit_o(), .rx_count_o(), .stall_o(), .status_o()
    );
  end

  always_ff @(posedge clk_i) begin
    rst_q <= 1'b1;
    if (!rst_q) begin
      for (int n = 0; n < 2; n++) begin
        room_q[n] <= 2'(Depth);
        used_q[Up][n] <= '0;
        used_q[Down][n] <= '0;
      end
    end else if (boot_q != 3'(Boot)) begin
      boot_q <= boot_q + 3'd1;
      assume (valid_i == '0);
    end else begin
      for (int n = 0; n < 2; n++) begin
        // A packet to the node that it begins at has no way.
        assume (!valid_i[n] || (room_q[n] != '0 && to_i[2*n +: 2] != 2'(n)));
        room_q[n] <= 2'(7'(room_q[n]) + inj_credit[n] - 7'(valid_i[n]));
        used_q[Up][n] <= 2'(7'(used_q[Up][n]) + 7'(link_valid[1-n][Up]) - credit[n][13:7]);
        used_q[Down][n] <= 2'(7'(used_q[Down][n]) + 7'(link_valid[1-n][Down]) - credit[n][6:0]);
      end
      assert (used_q[Up][0] != 2'(Depth) || used_q[Up][1] != 2'(Depth));
      assert (used_q[Down][0] != 2'(Depth) || used_q[Down][1] != 2'(Depth));
    end
  end
endmodule
