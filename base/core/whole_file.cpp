// Interlace: files that are read whole, and appear whole or not at all
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "interlace/core/error.h"
#include "interlace/core/system_refusal.h"

namespace interlace {
namespace {

/// For the reason that is in errno.
InputError cannot_write(const std::string& name) {
    return system_refusal("cannot write '" + name + "'", errno, "a file in a folder that can be written to");
}

/// A file that gets its name when it is whole.
class NewFile {
  public:
    explicit NewFile(const std::string& path) : path_(path), partial_(path + ".part") {
        const std::string folder = std::filesystem::path(path).parent_path().string();
        unnamed_ = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
        if (unnamed_ >= 0) opened_ = "/proc/self/fd/" + std::to_string(unnamed_);
        if (unnamed_ < 0 || !std::filesystem::exists(opened_)) opened_ = partial_;
    }
    ~NewFile() {
        if (unnamed_ >= 0) ::close(unnamed_);
        if (opened_ == partial_ && !appeared_) std::remove(partial_.c_str());
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    /// What to open, to write to it.
    const std::string& opened() const { return opened_; }

    /// In place of a file of that name, if there is one. False where that cannot be.
    bool appear() {
        if (opened_ == partial_)
            appeared_ = std::rename(partial_.c_str(), path_.c_str()) == 0;
        else
            appeared_ =
                link_to(path_) || (link_to_partial() && std::rename(partial_.c_str(), path_.c_str()) == 0);
        return appeared_;
    }

  private:
    /// A process that was killed here may have left one.
    bool link_to_partial() const {
        std::remove(partial_.c_str());
        return link_to(partial_);
    }
    bool link_to(const std::string& path) const {
        return ::linkat(AT_FDCWD, opened_.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
    }

    std::string path_, partial_, opened_;
    int unnamed_ = -1;
    bool appeared_ = false;
};

/// Whether all of it was written.
bool fill(const std::string& path, const std::function<void(std::ostream&)>& write) {
    errno = 0;
    std::ofstream out(path);
    if (out) write(out);
    out.close();
    return !out.fail();
}

}  // namespace

std::ifstream open_to_read(const std::string& path, const std::string& expected) {
    using std::filesystem::file_type;
    std::error_code ignored;
    const file_type type = std::filesystem::status(path, ignored).type();
    if (type == file_type::directory || type == file_type::character || type == file_type::block)
        throw InputError("'" + path + "' is a " + (type == file_type::directory ? "directory" : "device"),
                         expected);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) throw system_refusal("cannot read '" + path + "'", errno, expected);
    return file;
}

void check_read(const std::ifstream& file, const std::string& path, const std::string& expected) {
    if (file.bad()) throw system_refusal("cannot read all of '" + path + "'", errno, expected);
}

std::string read_whole_file(const std::string& path, const std::string& expected) {
    std::ifstream file = open_to_read(path, expected);
    std::string text;
    std::array<char, 65'536> block{};
    while (file.read(block.data(), block.size()) || file.gcount() > 0)
        text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    check_read(file, path, expected);
    return text;
}

void write_whole_file(const std::string& name, const std::function<void(std::ostream&)>& write) {
    std::error_code ignored;
    const bool regular = std::filesystem::is_regular_file(name, ignored);
    if (!regular && std::filesystem::exists(name, ignored)) {
        if (!fill(name, write)) throw cannot_write(name);
        return;
    }
    NewFile file(regular ? std::filesystem::canonical(name, ignored).string() : name);
    if (!fill(file.opened(), write) || !file.appear()) throw cannot_write(name);
}

}  // namespace interlace
