// Interlace: a device of docs/hil-protocol.md: a stream of bytes in, one out, and nodes that have a rising edge when a question says so
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// in_* and out_* are an AXI4-Stream pair of bytes (valid, data, ready for TVALID, TDATA, TREADY; no TLAST: frames say where they end).
// Features are 0: registers, one cycle a question. A record is carried out when it has come, on pins that all nodes share.
`include "il_parameters.svh"
module il_shell #(
  parameter int unsigned Nodes = 1,
  `IL_NODE_SIZES,  // of the nodes
  `IL_FIXED,
  `IL_PIN_WIDTHS
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       in_valid_i,
  input  logic [7:0] in_data_i,
  output logic       in_ready_o,
  output logic       out_valid_o,
  output logic [7:0] out_data_o,
  input  logic       out_ready_i
);
  localparam int unsigned FlitW = il_shell_pkg::FlitW;
  localparam int unsigned CountW = il_pkg::CountW;
  localparam int unsigned NodeW = Nodes > 1 ? $clog2(Nodes) : 1;
  localparam int unsigned SlotW = $clog2(Slots);

  // The longest question and answer, and memories that hold them. A block RAM of the smallest chip is 512 bytes.
  localparam int unsigned FlitBytes = il_shell_pkg::FlitBytes;
  localparam int unsigned HelloBytes = 8 + 40 + 4 + 4 * Nodes + 2 + 10 * 6 + 1;
  localparam int unsigned InputBytes =
      6 + Nodes * (4 + 1 + 6 + 4 + Ports * (3 + FlitBytes) + Ports * Vcs * 4 + Injections * (2 + FlitBytes) + 1);
  localparam int unsigned OutputBytes =
      6 + Nodes * (4 + 9 + Ports * (3 + FlitBytes) + Ports * Vcs * 4 + Receptions * (5 + FlitBytes) + Injections * 3 + 1);
  localparam int unsigned QuestionBytes = HelloBytes > InputBytes ? HelloBytes : InputBytes;
  localparam int unsigned Overhead = il_shell_pkg::HeaderBytes + il_shell_pkg::CheckBytes;
  localparam int unsigned RingW = $clog2(QuestionBytes + Overhead) > 9 ? $clog2(QuestionBytes + Overhead) : 9;
  localparam int unsigned AnswerW = $clog2(OutputBytes + 1) > 9 ? $clog2(OutputBytes + 1) : 9;

  // The protocol's numbers have the low byte first.
  function automatic logic [31:0] u32(input int unsigned number);
    u32 = {number[7:0], number[15:8], number[23:16], number[31:24]};
  endfunction
  localparam logic [8*il_shell_pkg::WelcomeBytes-1:0] Welcome = {
      u32(Ports), u32(Vcs), u32(Injections), u32(Receptions), u32(FlitBits), u32(VcDepth), u32(InjectionDepth), u32(ReceptionDepth),
      u32(Slots), u32(Pipeline), u32(0), u32(0), u32((1 << RingW) - Overhead)};

  if (Nodes < 1 || Nodes > 65535) begin : gen_bad_nodes
    $error("il_shell: Nodes is %0d, expected 1 to 65535", Nodes);
  end
  if (FlitBits != il_shell_pkg::FlitBits) begin : gen_bad_flit_bits
    $error("il_shell: FlitBits is %0d, expected %0d", FlitBits, il_shell_pkg::FlitBits);
  end

  logic frame, long, done, over, next;
  logic [7:0] question_type, question_data, answer_type, written, answer_data, output_data;
  logic [31:0] question_sequence, answer_sequence;
  logic [AnswerW-1:0] answer_length, answer_address;
  logic write, send, busy, clear, take, last, wrong, unlike, clocks, walk, output_valid, output_last, anew, reset;
  logic [SlotW-1:0] slot;
  logic [NodeW-1:0] node;

  il_shell_receive #(.Bytes(1 << RingW)) i_receive (
    .clk_i,
    .rst_ni,
    .valid_i   (in_valid_i),
    .data_i    (in_data_i),
    .ready_o   (in_ready_o),
    .frame_o   (frame),
    .long_o    (long),
    .type_o    (question_type),
    .sequence_o(question_sequence),
    .done_i    (done),
    .data_o    (question_data),
    .end_o     (over),
    .next_i    (next)
  );

  il_shell_execute #(.Nodes(Nodes), .Slots(Slots), .AnswerW(AnswerW), .Welcome(Welcome)) i_execute (
    .clk_i,
    .rst_ni,
    .frame_i       (frame),
    .long_i        (long),
    .type_i        (question_type),
    .sequence_i    (question_sequence),
    .done_o        (done),
    .data_i        (question_data),
    .end_i         (over),
    .next_o        (next),
    .clear_o       (clear),
    .take_o        (take),
    .last_i        (last),
    .wrong_i       (wrong),
    .unlike_i      (unlike),
    .node_o        (node),
    .edge_o        (clocks),
    .walk_o        (walk),
    .output_valid_i(output_valid),
    .output_i      (output_data),
    .output_last_i (output_last),
    .anew_o        (anew),
    .reset_o       (reset),
    .slot_o        (slot),
    .write_o       (write),
    .data_o        (written),
    .type_o        (answer_type),
    .sequence_o    (answer_sequence),
    .length_o      (answer_length),
    .send_o        (send),
    .busy_i        (busy)
  );

  // It is sent when it is complete.
  (* ram_style = "block", no_rw_check *) logic [7:0] answer [1 << AnswerW];
  always_ff @(posedge clk_i) begin
    if (write) answer[answer_length] <= written;
    answer_data <= answer[answer_address];
  end

  il_shell_send #(.LengthW(AnswerW)) i_send (
    .clk_i,
    .rst_ni,
    .start_i   (send),
    .busy_o    (busy),
    .type_i    (answer_type),
    .sequence_i(answer_sequence),
    .length_i  (answer_length),
    .address_o (answer_address),
    .data_i    (answer_data),
    .valid_o   (out_valid_o),
    .data_o    (out_data_o),
    .ready_i   (out_ready_i)
  );

  logic rst_n, clk_en, cfg_valid, cfg_read;
  logic [il_pkg::AddressW-1:0] cfg_addr;
  logic [31:0] cfg_data;
  logic [Ports-1:0] link_valid;
  logic [Ports*VcW-1:0] link_vc;
  logic [Ports*FlitW-1:0] link_flit;
  logic [Ports*Vcs*LengthW-1:0] credit;
  logic [Injections-1:0] inj_valid;
  logic [Injections*FlitW-1:0] inj_flit;
  logic [Receptions-1:0] rx_ready;

  il_shell_inputs #(`IL_PASS_NODE_PORTS) i_inputs (
    .clk_i,
    .clear_i     (clear),
    .take_i      (take),
    .data_i      (question_data),
    .last_o      (last),
    .wrong_o     (wrong),
    .rst_no      (rst_n),
    .clk_en_o    (clk_en),
    .cfg_valid_o (cfg_valid),
    .cfg_read_o  (cfg_read),
    .cfg_addr_o  (cfg_addr),
    .cfg_data_o  (cfg_data),
    .link_valid_o(link_valid),
    .link_vc_o   (link_vc),
    .link_flit_o (link_flit),
    .credit_o    (credit),
    .inj_valid_o (inj_valid),
    .inj_flit_o  (inj_flit),
    .rx_ready_o  (rx_ready)
  );

  il_shell_registers #(.Ports(Ports), `IL_PASS_FIXED) i_registers (
    .valid_i  (cfg_valid),
    .address_i(cfg_addr),
    .data_i   (cfg_data),
    .unlike_o (unlike)
  );

  // What all output pins of a node show: those of the nodes that are not asked for are left out.
  localparam int unsigned PinsW = il_pkg::StatusW + Ports + Receptions + 32 + Ports * (1 + VcW + FlitW + Vcs * LengthW) + Injections * LengthW +
      Receptions * (1 + FlitW + CountW);
  logic [Nodes*PinsW-1:0] pins;
  logic [PinsW-1:0] shown;
  logic [il_pkg::StatusW-1:0] status_shown;
  logic [Ports+Receptions-1:0] stall_shown;
  logic [31:0] cfg_data_shown;
  logic [Ports-1:0] link_valid_shown;
  logic [Ports*VcW-1:0] link_vc_shown;
  logic [Ports*FlitW-1:0] link_flit_shown;
  logic [Ports*Vcs*LengthW-1:0] credit_shown;
  logic [Injections*LengthW-1:0] inj_credit_shown;
  logic [Receptions-1:0] rx_valid_shown;
  logic [Receptions*FlitW-1:0] rx_flit_shown;
  logic [Receptions*CountW-1:0] rx_count_shown;

  for (genvar n = 0; n < Nodes; n++) begin : gen_node
    logic has_edge;
    logic [il_pkg::StatusW-1:0] status;
    logic [Ports+Receptions-1:0] stall;
    logic [31:0] cfg_data_out;
    logic [Ports-1:0] link_valid_out;
    logic [Ports*VcW-1:0] link_vc_out;
    logic [Ports*FlitW-1:0] link_flit_out;
    logic [Ports*Vcs*LengthW-1:0] credit_out;
    logic [Injections*LengthW-1:0] inj_credit;
    logic [Receptions-1:0] rx_valid;
    logic [Receptions*FlitW-1:0] rx_flit;
    logic [Receptions*CountW-1:0] rx_count;
    assign has_edge = clocks && node == NodeW'(n);
    il_node #(
      `IL_PASS_NODE_SIZES,
      `IL_PASS_FIXED
    ) i_node (
      .clk_i,
      .rst_ni      (!(anew && reset) && (rst_n || !has_edge)),
      .clk_en_i    (anew || (has_edge && clk_en)),
      .cfg_valid_i (anew || cfg_valid),
      .cfg_read_i  (cfg_read),
      .cfg_addr_i  (anew ? il_pkg::RegTable + il_pkg::AddressW'(slot) : cfg_addr),
      .cfg_data_i  (cfg_data),
      .cfg_data_o  (cfg_data_out),
      .link_valid_i(link_valid),
      .link_vc_i   (link_vc),
      .link_flit_i (link_flit),
      .credit_i    (credit),
      .link_valid_o(link_valid_out),
      .link_vc_o   (link_vc_out),
      .link_flit_o (link_flit_out),
      .credit_o    (credit_out),
      .inj_valid_i (inj_valid),
      .inj_flit_i  (inj_flit),
      .inj_credit_o(inj_credit),
      .rx_ready_i  (rx_ready),
      .rx_valid_o  (rx_valid),
      .rx_flit_o   (rx_flit),
      .rx_count_o  (rx_count),
      .stall_o     (stall),
      .status_o    (status)
    );
    assign pins[n*PinsW +: PinsW] =
        {status, stall, cfg_data_out, link_valid_out, link_vc_out, link_flit_out, credit_out, inj_credit, rx_valid, rx_flit, rx_count};
  end
  if (Nodes == 1) begin : gen_one
    assign shown = pins;
  end else begin : gen_several
    il_select #(.Width(PinsW), .Words(Nodes)) i_node (.words_i(pins), .index_i(node), .word_o(shown));
  end
  assign {status_shown, stall_shown, cfg_data_shown, link_valid_shown, link_vc_shown, link_flit_shown, credit_shown, inj_credit_shown,
          rx_valid_shown, rx_flit_shown, rx_count_shown} = shown;

  il_shell_outputs #(`IL_PASS_NODE_PORTS) i_outputs (
    .clk_i,
    .walk_i      (walk),
    .valid_o     (output_valid),
    .data_o      (output_data),
    .last_o      (output_last),
    .status_i    (status_shown),
    .stall_i     (stall_shown),
    .cfg_data_i  (cfg_data_shown),
    .link_valid_i(link_valid_shown),
    .link_vc_i   (link_vc_shown),
    .link_flit_i (link_flit_shown),
    .credit_i    (credit_shown),
    .inj_credit_i(inj_credit_shown),
    .rx_valid_i  (rx_valid_shown),
    .rx_flit_i   (rx_flit_shown),
    .rx_count_i  (rx_count_shown)
  );
endmodule
