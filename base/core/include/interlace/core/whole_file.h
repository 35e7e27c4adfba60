// Interlace: files that are read whole, and appear whole or not at all
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <functional>
#include <string>

namespace interlace {

/// A file (or pipe) open to be read; `expected` says what it should be ("a YAML file"). Throws InputError,
/// for a directory and for a device, which may not end, too.
std::ifstream open_to_read(const std::string& path, const std::string& expected);

/// Throws InputError where reading `file` failed before its end.
void check_read(const std::ifstream& file, const std::string& path, const std::string& expected);

/// Throws InputError for a pipe, which can be read only once, where `path` is read more than once.
void refuse_pipe(const std::string& path);

/// All of a file. Throws InputError like open_to_read().
std::string read_whole_file(const std::string& path, const std::string& expected);

/// Lets `write` fill a file that has no name yet and then gives it this one, so that neither a failure nor a
/// signal leaves anything half-written (on file systems that want a name from the beginning, NFS for one, it
/// is NAME.XXXXXXXX.part with digits that no other file has, and a signal leaves that). Of several writers of
/// one file the last one's stays. A link's file is the one that is meant; a device or pipe is written to as
/// it is. Throws InputError where it cannot be written.
void write_whole_file(const std::string& name, const std::function<void(std::ostream&)>& write);

/// Throws InputError where write_whole_file() could not begin: in a folder that is not there, say. Leaves
/// nothing.
void require_writable(const std::string& name);

/// Whether `partial` is what a signal has left of write_whole_file(name).
bool is_partial_of(const std::string& partial, const std::string& name);

}  // namespace interlace
