// Interlace: the flits of all inputs: a bank with one write an input, any number of reads from any bank
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_flit_store #(
  parameter int unsigned Inputs = 3,
  parameter int unsigned Reads = 4,
  parameter int unsigned Width = 66,
  parameter int unsigned Depth = 8,    // of a bank
  localparam int unsigned AddressW = $clog2(Depth),
  localparam int unsigned InputW = $clog2(Inputs)
) (
  input  logic                       clk_i,
  input  logic [Inputs-1:0]          write_i,
  input  logic [Inputs*AddressW-1:0] write_address_i,
  input  logic [Inputs*Width-1:0]    data_i,
  input  logic [Reads-1:0]           read_i,
  input  logic [Reads*InputW-1:0]    read_input_i,
  input  logic [Reads*AddressW-1:0]  read_address_i,
  output logic [Reads*Width-1:0]     data_o            // 0 where not read
);
  for (genvar p = 0; p < Inputs; p++) begin : gen_bank
    logic [Width-1:0] mem [Depth];
    always_ff @(posedge clk_i) begin
      if (write_i[p]) mem[write_address_i[p*AddressW +: AddressW]] <= data_i[p*Width +: Width];
    end
  end

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    logic [AddressW-1:0] address;
    assign address = read_address_i[r*AddressW +: AddressW];
    for (genvar p = 0; p < Inputs; p++) begin : gen_mux
      logic [Width-1:0] data, others;
      if (p == 0) begin : gen_first
        assign others = '0;
      end else begin : gen_rest
        assign others = gen_mux[p-1].data;
      end
      assign data = (read_i[r] && read_input_i[r*InputW +: InputW] == InputW'(p)) ?
          gen_bank[p].mem[address] : others;
    end
    assign data_o[r*Width +: Width] = gen_mux[Inputs-1].data;
  end
endmodule
