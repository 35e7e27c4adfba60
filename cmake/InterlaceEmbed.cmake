# Interlace: files become part of a library
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0

# interlace_embed(FUNCTION OUTPUT PATTERN)
# Writes the C++ file OUTPUT with `const std::vector<ShippedFile>& FUNCTION()`: the files that match PATTERN, in natural
# order.
function(interlace_embed function output pattern)
  file(GLOB files CONFIGURE_DEPENDS ${pattern})
  list(SORT files COMPARE NATURAL)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(entries "")
  foreach(file IN LISTS files)
    file(READ ${file} text)
    get_filename_component(name ${file} NAME_WE)
    get_filename_component(path ${file} DIRECTORY)
    get_filename_component(folder ${path} NAME)
    string(APPEND entries "    {\"${folder}\", \"${name}\", R\"~~(${text})~~\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [[
#include <vector>
#include "interlace/core/shipped_file.h"
namespace interlace {
const std::vector<ShippedFile>& @function@();
const std::vector<ShippedFile>& @function@() {
  static const std::vector<ShippedFile> files = {
@entries@  };
  return files;
}
}  // namespace interlace
]])
endfunction()
