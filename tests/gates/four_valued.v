// Interlace: shows the gates of a small node the pins of a file, and compares what they show with the file's
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// +pins=FILE: a line for each cycle, its pins in hexadecimal: inputs, and outputs after the clock's edge. Prints the cycles in
// which no pin differed; or the first one that did, where x differs from both 0 and 1, and its cycle.
module four_valued;
  reg clk = 1'b0, rst_n, clk_en, cfg_valid, cfg_read;
  reg [15:0] cfg_addr;
  reg [31:0] cfg_data;
  reg [1:0] link_valid;
  reg [3:0] link_vc, inj_valid;
  reg [131:0] link_flit;
  reg [27:0] credit;
  reg [263:0] inj_flit;
  reg [5:0] rx_ready;

  wire [31:0] cfg_data_o;
  wire [1:0] link_valid_o;
  wire [3:0] link_vc_o;
  wire [131:0] link_flit_o;
  wire [27:0] credit_o, inj_credit_o;
  wire [5:0] rx_valid_o, status_o;
  wire [395:0] rx_flit_o;
  wire [95:0] rx_count_o;
  wire [7:0] stall_o;

  il_gates gates (
    .clk_i(clk), .rst_ni(rst_n), .clk_en_i(clk_en), .cfg_valid_i(cfg_valid), .cfg_read_i(cfg_read), .cfg_addr_i(cfg_addr), .cfg_data_i(cfg_data),
    .cfg_data_o(cfg_data_o), .link_valid_i(link_valid), .link_vc_i(link_vc), .link_flit_i(link_flit), .credit_i(credit),
    .link_valid_o(link_valid_o), .link_vc_o(link_vc_o), .link_flit_o(link_flit_o), .credit_o(credit_o), .inj_valid_i(inj_valid),
    .inj_flit_i(inj_flit), .inj_credit_o(inj_credit_o), .rx_ready_i(rx_ready), .rx_valid_o(rx_valid_o), .rx_flit_o(rx_flit_o),
    .rx_count_o(rx_count_o), .stall_o(stall_o), .status_o(status_o)
  );

  localparam Outputs = 32 + 2 + 4 + 132 + 28 + 28 + 6 + 396 + 96 + 8 + 6;
  wire [Outputs-1:0] shown = {cfg_data_o, link_valid_o, link_vc_o, link_flit_o, credit_o, inj_credit_o, rx_valid_o, rx_flit_o, rx_count_o,
                              stall_o, status_o};
  reg [31:0] cfg_data_x;
  reg [1:0] link_valid_x;
  reg [3:0] link_vc_x;
  reg [131:0] link_flit_x;
  reg [27:0] credit_x, inj_credit_x;
  reg [5:0] rx_valid_x, status_x;
  reg [395:0] rx_flit_x;
  reg [95:0] rx_count_x;
  reg [7:0] stall_x;
  wire [Outputs-1:0] expected = {cfg_data_x, link_valid_x, link_vc_x, link_flit_x, credit_x, inj_credit_x, rx_valid_x, rx_flit_x, rx_count_x,
                                 stall_x, status_x};

  reg [8*1024-1:0] name;
  integer file, read, cycles;
  initial begin
    if ($value$plusargs("pins=%s", name) == 0) $finish;
    file = $fopen(name, "r");
    cycles = 0;
    read = 24;
    while (read == 24) begin
      read = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h", rst_n, clk_en, cfg_valid, cfg_read, cfg_addr, cfg_data, link_valid, link_vc,
                     link_flit, credit, inj_valid, inj_flit, rx_ready);
      read = read + $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h", cfg_data_x, link_valid_x, link_vc_x, link_flit_x, credit_x, inj_credit_x,
                            rx_valid_x, rx_flit_x, rx_count_x, stall_x, status_x);
      if (read == 24) begin
        #1 clk = 1'b1;
        #1 clk = 1'b0;
        #1;
        if (shown !== expected) begin
          $display("cycle %0d: %h, expected %h", cycles, shown, expected);
          $finish;
          read = 0;
        end
        cycles = cycles + 1;
      end
    end
    if (read != 0) $display("%0d cycles", cycles);
    $finish;
  end
endmodule
