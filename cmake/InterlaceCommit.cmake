# Interlace: which commit a build is of; run at every build (cmake -P), writes only what changed
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
# SOURCE: the project's folder; OUTPUT: the C++ file to write
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit ERROR_QUIET
                OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit "+")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "interlace/measure/json_result.h"
namespace interlace {
std::string commit() { return "@commit@"; }
}  // namespace interlace
]])
