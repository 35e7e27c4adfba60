// Interlace: what a device says of itself, and the sentences with which it refuses, in a memory
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_shell_sentences #(
  parameter logic [8*il_shell_pkg::WelcomeBytes-1:0] Welcome = '0,  // the first byte highest, as in a text
  localparam int unsigned AtW = 6
) (
  input  logic               clk_i,
  input  il_shell_pkg::say_e say_i,
  input  logic [AtW-1:0]     at_i,
  output logic [7:0]         data_o,   // byte at_i of the last cycle
  output logic [AtW-1:0]     length_o  // bytes in all
);
  localparam int unsigned Most = 1 << AtW;
  localparam int unsigned Says = 8;

  function automatic logic [8*Most-1:0] text(input int unsigned say);
    case (say)
      32'(il_shell_pkg::SayWelcome):     text = (8*Most)'(Welcome);
      32'(il_shell_pkg::SayBroken):      text = "This question breaks the protocol.";
      32'(il_shell_pkg::SayNodes):       text = "This device has fewer nodes.";
      32'(il_shell_pkg::SayCycles):      text = "This device takes one cycle a question.";
      32'(il_shell_pkg::SayLong):        text = "This question is longer than this device takes.";
      32'(il_shell_pkg::SayHello):       text = "A hello comes first, and only then.";
      32'(il_shell_pkg::SayQuestion):    text = "This device does not know this question.";
      default:                           text = "This device is built for other registers.";  // SayRegisters
    endcase
  endfunction

  // Before a sentence there are two bytes, its length; *welcome* has none that says it.
  function automatic int unsigned letters(input int unsigned say);
    logic [8*Most-1:0] all;
    all = text(say);
    letters = 0;
    for (int unsigned i = 0; i < Most; i++) begin
      if (all[8*i +: 8] != '0) letters = i + 1;
    end
    if (say == 32'(il_shell_pkg::SayWelcome)) letters = il_shell_pkg::WelcomeBytes;
  endfunction
  function automatic logic [Says*AtW-1:0] lengths();
    for (int unsigned say = 0; say < Says; say++)
      lengths[say*AtW +: AtW] = AtW'(letters(say) + (say == 32'(il_shell_pkg::SayWelcome) ? 0 : 2));
  endfunction
  localparam logic [Says*AtW-1:0] Lengths = lengths();

  function automatic logic [7:0] said(input int unsigned say, input int unsigned at);
    int unsigned length;
    length = 32'(Lengths[say*AtW +: AtW]);
    if (say != 32'(il_shell_pkg::SayWelcome) && at < 2) said = at == 0 ? 8'(length) - 8'd2 : '0;
    else said = at < length ? 8'(text(say) >> 8 * (length - 1 - at)) : '0;
  endfunction

  (* ram_style = "block" *) logic [7:0] mem [Says*Most];
  initial for (int unsigned i = 0; i < Says * Most; i++) mem[i] = said(i / Most, i % Most);
  always_ff @(posedge clk_i) data_o <= mem[{say_i, at_i}];
  assign length_o = Lengths[32'(say_i)*AtW +: AtW];
endmodule
