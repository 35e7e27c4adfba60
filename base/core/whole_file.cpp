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
#include <random>
#include <string_view>

#include "interlace/core/error.h"
#include "interlace/core/system_refusal.h"

namespace interlace {
namespace {

// NAME.0123abcd.part
constexpr std::size_t partial_digits = 8;
constexpr std::string_view partial_ending = ".part";

/// For the reason that is in errno.
InputError cannot_write(const std::string& name) {
    return system_refusal("cannot write '" + name + "'", errno, "a file in a folder that can be written to");
}

/// A file that gets its name when it is whole.
class NewFile {
  public:
    explicit NewFile(const std::string& path) : path_(path) {
        const std::string folder = std::filesystem::path(path).parent_path().string();
        descriptor_ = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
        if (descriptor_ >= 0) opened_ = "/proc/self/fd/" + std::to_string(descriptor_);
        if (descriptor_ < 0 || !std::filesystem::exists(opened_)) make_partial();
    }
    ~NewFile() {
        if (descriptor_ >= 0) ::close(descriptor_);
        if (!partial_.empty() && !appeared_) std::remove(partial_.c_str());
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    /// What to open, to write to it; empty: it cannot be made.
    const std::string& opened() const { return opened_; }

    /// In place of a file of that name, if there is one. False where that cannot be.
    bool appear() {
        appeared_ =
            (partial_.empty() && link_to(path_)) ||
            ((!partial_.empty() || link_to_partial()) && std::rename(partial_.c_str(), path_.c_str()) == 0);
        return appeared_;
    }

  private:
    /// A name that nobody else has. Others may be files of other writers, or of the user.
    std::string new_name() const {
        std::array<char, partial_digits + 1> digits = {};
        std::snprintf(digits.data(), digits.size(), "%08x", std::random_device()());
        return path_ + "." + digits.data() + std::string(partial_ending);
    }
    /// On a file system without files that have no name.
    void make_partial() {
        if (descriptor_ >= 0) ::close(descriptor_);
        do {
            opened_ = new_name();
            descriptor_ = ::open(opened_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        } while (descriptor_ < 0 && errno == EEXIST);
        if (descriptor_ < 0) opened_.clear();
        partial_ = opened_;
    }
    bool link_to_partial() {
        do {
            partial_ = new_name();
            if (link_to(partial_)) return true;
        } while (errno == EEXIST);
        partial_.clear();
        return false;
    }
    bool link_to(const std::string& path) const {
        return ::linkat(AT_FDCWD, opened_.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
    }

    std::string path_, partial_, opened_;
    int descriptor_ = -1;
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

void refuse_pipe(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_fifo(path, ignored))
        throw InputError("'" + path + "' is a pipe, which can be read only once",
                         "a regular file: it is read more than once");
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
    if (file.opened().empty() || !fill(file.opened(), write) || !file.appear()) throw cannot_write(name);
}

void require_writable(const std::string& name) {
    std::error_code ignored;
    const bool regular = std::filesystem::is_regular_file(name, ignored);
    if (!regular && std::filesystem::exists(name, ignored)) return;
    const NewFile file(regular ? std::filesystem::canonical(name, ignored).string() : name);
    if (file.opened().empty()) throw cannot_write(name);
}

bool is_partial_of(const std::string& partial, const std::string& name) {
    return partial.size() == name.size() + 1 + partial_digits + partial_ending.size() &&
           partial.starts_with(name + ".") && partial.ends_with(partial_ending) &&
           partial.find_first_not_of("0123456789abcdef", name.size() + 1) ==
               partial.size() - partial_ending.size();
}

}  // namespace interlace
