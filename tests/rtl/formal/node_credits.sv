// Interlace: whatever comes, il_node gives back no more credits than flits came, sends no more than it has credits for, and
// overflows nothing, where neighbours and host keep theirs (docs/node.md, sections 5 and 8)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module node_credits_proof #(
  parameter int unsigned Pipeline = 1  // or 7
) (
  input logic        clk_i,
  input logic        write_i,        // a register, before the node is enabled
  input logic [1:0]  entry_i,        // of the table, or `enable`
  input logic [2:0]  ways_i,
  input logic [2:0]  valid_i,        // by link 0, link 1, the injection queue
  input logic [3*10-1:0] flit_i,     // each: {spoiled, length, slot, kind, tail, head}
  input logic [1:0]  give_i,         // a credit to link sink 0, 1
  input logic        ready_i
);
  localparam int unsigned Depth = 2;
  logic rst_q, enabled_q;
  logic [2:0] room_q [3];            // what the neighbours and the host may send
  logic [2:0] out_q [2];             // flits that the neighbours have
  logic [20:0] credit;
  logic [1:0] link_valid;
  logic rx_valid;
  logic [15:0] rx_count;
  logic [5:0] status;
  logic [3*66-1:0] flit;
  il_pkg::header_t header;
  initial {rst_q, enabled_q} = '0;

  // Any head and tail, kind, length of 1 to 4 flits, way and checksum: the rest only passes through.
  always_comb begin
    flit = '0;
    for (int i = 0; i < 3; i++) begin
      header = '0;
      header.kind = flit_i[10*i+2 +: 2];
      header.slot = {flit_i[10*i+6], 9'd0, flit_i[10*i+4 +: 2]};
      header.length_minus_1 = 6'(flit_i[10*i+7 +: 2]);
      header.checksum = il_pkg::ChecksumSeed ^ il_pkg::fold(header) ^ 8'(flit_i[10*i+9]);
      flit[66*i +: 66] = {flit_i[10*i+1], flit_i[10*i], header};
    end
  end

  il_node #(
    .Ports(2), .Vcs(1), .Injections(1), .Receptions(1), .FlitBits(64), .VcDepth(Depth), .InjectionDepth(Depth),
    .ReceptionDepth(Depth), .Slots(4), .FixedConfig(1), .FixedSwitching(1), .FixedVcs(1), .FixedVcDepth(Depth),
    .FixedInjectionDepth(Depth), .FixedReceptionDepth(Depth), .FixedPorts(3),
    .Pipeline(Pipeline), .FixedAdaptive(32'(Depth) << 8)
  ) dut (
    .clk_i, .rst_ni(rst_q), .clk_en_i(1'b1), .cfg_read_i(1'b0), .cfg_data_o(),
    .cfg_valid_i(write_i), .cfg_addr_i(entry_i == '0 ? 16'd0 : 16'h1000 + 16'(entry_i)),
    .cfg_data_i(32'(ways_i)), .link_valid_i(valid_i[1:0]), .link_vc_i('0), .link_flit_i(flit[131:0]),
    .credit_i({6'd0, give_i[1], 6'd0, give_i[0]}), .link_valid_o(link_valid), .link_vc_o(), .link_flit_o(),
    .credit_o(credit[13:0]), .inj_valid_i(valid_i[2]), .inj_flit_i(flit[197:132]), .inj_credit_o(credit[20:14]),
    .rx_ready_i(ready_i), .rx_valid_o(rx_valid), .rx_flit_o(), .rx_count_o(rx_count), .stall_o(), .status_o(status)
  );

  always_ff @(posedge clk_i) begin
    rst_q <= 1'b1;
    if (!rst_q) begin
      for (int i = 0; i < 3; i++) room_q[i] <= 3'(Depth);
      for (int p = 0; p < 2; p++) out_q[p] <= '0;
    end else if (!enabled_q) begin
      assume (valid_i == '0 && give_i == '0);
      if (write_i && entry_i == '0 && ways_i[0]) enabled_q <= 1'b1;
    end else begin
      assume (!write_i);
      for (int i = 0; i < 3; i++) begin
        assume (!valid_i[i] || room_q[i] != '0);
        assert (32'(room_q[i]) + 32'(credit[7*i +: 7]) <= Depth);
        room_q[i] <= 3'(7'(room_q[i]) + credit[7*i +: 7] - 7'(valid_i[i]));
      end
      for (int p = 0; p < 2; p++) begin
        assert (32'(out_q[p]) + 32'(link_valid[p]) <= Depth);
        assume (!give_i[p] || out_q[p] + 3'(link_valid[p]) != '0);
        out_q[p] <= out_q[p] + 3'(link_valid[p]) - 3'(give_i[p]);
      end
      assert (rx_count <= 16'(Depth));
      assert (rx_valid == (rx_count != '0));
      assert (!status[il_pkg::ErrorOverflow] && !status[il_pkg::ErrorCredit] && !status[il_pkg::ErrorConfig]);
    end
  end
endmodule
