// Interlace: frames out of a stream of bytes that may be anything (docs/hil-protocol.md, section 2)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// All bytes go into a ring, from where a frame that may be one begins. It is read twice: first its checks, and if it is none, from one byte
// behind its beginning on; then, if it is one, its payload by whoever carries it out. So nothing comes of a frame that is damaged, and no frame
// is lost behind one.
`include "il_assert.svh"
module il_shell_receive #(
  parameter int unsigned Bytes = 512,  // of the ring: a power of two
  localparam int unsigned AddressW = $clog2(Bytes),
  localparam int unsigned PtrW = AddressW + 1,
  localparam int unsigned Overhead = il_shell_pkg::HeaderBytes + il_shell_pkg::CheckBytes
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  logic [7:0]  data_i,
  output logic        ready_o,
  // A frame, until done_i. Of one that the ring does not hold there is the header alone.
  output logic        frame_o,
  output logic        long_o,
  output logic [7:0]  type_o,
  output logic [31:0] sequence_o,
  input  logic        done_i,
  // Its payload, then the payload's check.
  output logic [7:0]  data_o,
  output logic        end_o,      // the payload is over
  input  logic        next_i      // data_o has been seen
);
  typedef enum logic [1:0] {
    StateHeader,
    StatePayload,
    StateFrame
  } state_e;

  state_e state_q;
  logic [PtrW-1:0] write_q, written_q;      // written_q: write_q a cycle ago, what can be read
  logic [PtrW-1:0] read_q, read_d;
  logic [PtrW-1:0] start_q, start_d, end_q; // of what is or may be a frame; end_q: behind what is read
  logic [PtrW-1:0] left_q;                  // to read of the payload, or of it and its check
  logic [4:0] at_q;                         // byte of the header
  logic [31:0] length_q, crc_q, crc;
  logic take, last, right, wrong, fits;

  assign ready_o = PtrW'(write_q - start_q) != PtrW'(Bytes);
  assign take = state_q != StateFrame && written_q != read_q;
  assign crc = il_shell_pkg::crc32(crc_q, data_o);
  assign right = crc == il_shell_pkg::Residue;
  assign fits = length_q[31:AddressW] == '0 && length_q[AddressW-1:0] <= AddressW'(Bytes - Overhead);
  assign frame_o = state_q == StateFrame;
  assign long_o = !fits;
  assign end_o = left_q == '0;

  // The first pass.
  assign last = state_q == StateHeader ? 32'(at_q) == il_shell_pkg::HeaderBytes - 1 : left_q == PtrW'(1);
  always_comb begin
    wrong = take && last && !right;
    if (take && state_q == StateHeader) begin
      if (at_q < 5'd4 && data_o != il_shell_pkg::Magic[8*at_q[1:0] +: 8]) wrong = 1'b1;
      if (at_q == 5'd4 && data_o != il_shell_pkg::Version) wrong = 1'b1;
      if (last && length_q[31:28] != '0 && length_q != il_shell_pkg::MostOfAnyone) wrong = 1'b1;
    end
  end

  always_comb begin
    start_d = start_q;
    read_d = read_q + PtrW'(take || next_i);
    if (wrong || (done_i && !fits)) start_d = start_q + PtrW'(1);
    else if (done_i) start_d = end_q;
    if (wrong || done_i) read_d = start_d;
    else if (take && last && state_q == StatePayload) read_d = start_q + PtrW'(il_shell_pkg::HeaderBytes);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wrong || done_i) begin
      state_q <= StateHeader;
      at_q    <= '0;
      crc_q   <= '1;
    end else if (take) begin
      at_q  <= at_q + 5'd1;
      crc_q <= last ? '1 : crc;
      if (last) state_q <= state_q == StateHeader && fits ? StatePayload : StateFrame;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take && state_q == StateHeader) begin
      if (at_q == 5'd5) type_o <= data_o;
      if (at_q[4:2] == 3'd2) sequence_o <= {data_o, sequence_o[31:8]};
      if (at_q[4:2] == 3'd3) length_q <= {data_o, length_q[31:8]};
      left_q <= PtrW'(length_q) + PtrW'(il_shell_pkg::CheckBytes);
    end else if (take && last) begin
      left_q <= PtrW'(length_q);
    end else if (take || (next_i && !end_o)) begin
      left_q <= left_q - PtrW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q   <= '0;
      written_q <= '0;
      read_q    <= '0;
      start_q   <= '0;
    end else begin
      if (valid_i && ready_o) write_q <= write_q + PtrW'(1);
      written_q <= write_q;
      read_q    <= read_d;
      start_q   <= start_d;
      if (take) end_q <= read_q + PtrW'(1);
    end
  end

  // A byte that is written while it is read is not looked at: written_q.
  (* ram_style = "block", no_rw_check *) logic [7:0] mem [Bytes];
  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) mem[write_q[AddressW-1:0]] <= data_i;
    data_o <= mem[read_d[AddressW-1:0]];
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `IL_ASSERT(ring_has_room, PtrW'(write_q - start_q) <= PtrW'(Bytes), "more bytes are kept than the ring has");
      `IL_ASSERT(byte_has_come, PtrW'(read_q - start_q) <= PtrW'(written_q - start_q), "a byte is read that has not come");
      if (next_i || done_i) `IL_ASSERT(reader_has_frame, frame_o, "a byte or the end of a frame is asked for where there is no frame");
    end
  end
endmodule
