// Interlace: files that are read whole, and appear whole or not at all
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/whole_file.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "interlace/core/csv.h"
#include "support/error_of.h"

namespace interlace {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class WholeFile : public testing::Test {
  protected:
    ~WholeFile() override { fs::remove_all(folder_); }
    /// Names of all that is in the folder.
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_))
            names.push_back(entry.path().filename().string());
        return names;
    }
    static void write_text(const std::string& path, const std::string& text) {
        write_whole_file(path, [&](std::ostream& out) { out << text; });
    }
    const std::string folder_ = testing::TempDir() + "whole" + std::to_string(::getpid()) + "/";
    bool made_ = fs::create_directories(folder_);
};

TEST_F(WholeFile, AppearsAndIsReplaced) {
    for (const char* text : {"one", "two"}) {
        write_text(folder_ + "a", text);
        EXPECT_EQ(read_whole_file(folder_ + "a", "a file"), text);
    }
    fs::create_symlink(folder_ + "a", folder_ + "b");
    write_text(folder_ + "b", "three");
    EXPECT_TRUE(fs::is_symlink(folder_ + "b"));
    EXPECT_EQ(read_whole_file(folder_ + "a", "a file"), "three");
    EXPECT_THAT(names(), testing::UnorderedElementsAre("a", "b"));
}

TEST_F(WholeFile, AFailureLeavesWhatWasThere) {
    write_text(folder_ + "a", "one");
    for (const char* name : {"a", "new"})
        EXPECT_EQ(error_of([&] {
                      write_whole_file(folder_ + name, [](std::ostream& out) {
                          out << "half";
                          throw std::runtime_error("stuck");
                      });
                  }),
                  "stuck");
    EXPECT_THAT(names(), testing::ElementsAre("a"));
    EXPECT_EQ(read_whole_file(folder_ + "a", "a file"), "one");
    EXPECT_THAT(error_of([&] { write_text("/dev/full", std::string(100'000, 'x')); }),
                HasSubstr("cannot write '/dev/full'"));
    EXPECT_THAT(error_of([&] { write_text(folder_ + "none/x", ""); }), HasSubstr("cannot write"));
    EXPECT_THAT(error_of([&] { write_text(folder_, ""); }), HasSubstr("cannot write"));
}

// A process that is ended in the middle, in ways that it cannot or does not answer.
TEST_F(WholeFile, ASignalLeavesNothing) {
    write_text(folder_ + "old", "old");
    for (const int signal : {SIGTERM, SIGKILL, SIGXFSZ}) {
        const pid_t process = ::fork();
        if (process == 0) {
            write_whole_file(folder_ + (signal == SIGTERM ? "old" : "new"), [&](std::ostream& out) {
                out << std::string(1'000'000, 'x') << std::flush;
                ::raise(signal);
            });
            ::_exit(0);
        }
        int status = 0;
        ::waitpid(process, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status));
        EXPECT_EQ(WTERMSIG(status), signal);
    }
    if (names().size() > 1) GTEST_SKIP() << "files have names here";
    EXPECT_THAT(names(), testing::ElementsAre("old"));
    EXPECT_EQ(read_whole_file(folder_ + "old", "a file"), "old");
}

// ... nor takes what others call like something half-written.
TEST_F(WholeFile, LeavesTheFilesOfOthers) {
    const std::vector<std::string> others = {"a.part", "a.tmp", "a.0123abcd.part"};
    for (const std::string& other : others) write_text(folder_ + other, "mine");
    for (const char* text : {"one", "two", "three"}) write_text(folder_ + "a", text);
    for (const std::string& other : others) EXPECT_EQ(read_whole_file(folder_ + other, "a file"), "mine");
    EXPECT_EQ(names().size(), 4U);
}

// Each of them may be a process that saves into the same file.
TEST_F(WholeFile, HasOneOfSeveralWritersWhole) {
    std::vector<pid_t> writers;
    for (int w = 0; w < 3; ++w) {
        writers.push_back(::fork());
        if (writers.back() != 0) continue;
        int failed = 0;
        for (int i = 0; i < 100; ++i)
            failed |= error_of([&] {
                          write_text(folder_ + "a", std::string(5'000, static_cast<char>('a' + w)));
                      }) == "no error"
                          ? 0
                          : 1;
        ::_exit(failed);
    }
    for (const pid_t writer : writers) {
        int status = 0;
        ::waitpid(writer, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_THAT(names(), testing::ElementsAre("a"));
    const std::string text = read_whole_file(folder_ + "a", "a file");
    EXPECT_EQ(text, std::string(5'000, text.front()));
}

TEST_F(WholeFile, CanBeAskedForBeforeItIsWritten) {
    write_text(folder_ + "a", "one");
    for (const char* name : {"a", "new"}) require_writable(folder_ + name);
    require_writable("/dev/null");
    EXPECT_THAT(names(), testing::ElementsAre("a"));
    EXPECT_EQ(read_whole_file(folder_ + "a", "a file"), "one");
    EXPECT_THAT(error_of([&] { require_writable(folder_ + "none/x"); }), HasSubstr("cannot write"));
    EXPECT_THAT(error_of([&] { require_writable(folder_ + "a/x"); }), HasSubstr("cannot write"));
}

TEST_F(WholeFile, KnowsWhatASignalHasLeftOfIt) {
    EXPECT_TRUE(is_partial_of("x/a.0123cdef.part", "x/a"));
    for (const char* other : {"x/a", "x/a.part", "x/a.0123cde.part", "x/a.0123cdefa.part",
                              "x/a.0123cdeg.part", "x/b.0123cdef.part", "x/a.0123cdef.pert"})
        EXPECT_FALSE(is_partial_of(other, "x/a")) << other;
}

// A device may never end.
TEST_F(WholeFile, DirectoriesAndDevicesAreNotRead) {
    EXPECT_EQ(error_of([&] { read_whole_file(folder_, "a YAML file"); }),
              "'" + folder_ + "' is a directory; expected a YAML file");
    EXPECT_EQ(error_of([&] { read_whole_file("/dev/zero", "a YAML file"); }),
              "'/dev/zero' is a device; expected a YAML file");
    EXPECT_THAT(error_of([&] { read_csv("/dev/zero", "from,to", [](const CsvRow&) {}); }),
                HasSubstr("'/dev/zero' is a device; expected a CSV file with the header from,to"));
    EXPECT_THAT(error_of([&] { read_whole_file(folder_ + "none", "a file"); }), HasSubstr("cannot read"));
}

// The first page of a process cannot be read, which is EIO.
TEST_F(WholeFile, AFileThatCannotBeReadIsNotAnEmptyOne) {
    const std::string refusal =
        "cannot read all of '/proc/self/mem': Input/output error; expected a file and a disk without read or "
        "write errors";
    EXPECT_EQ(error_of([] { read_whole_file("/proc/self/mem", "a file"); }), refusal);
}

/// What is thrown while `resource` is limited to this.
std::string error_under(int resource, rlim_t limit, const std::function<void()>& action) {
    rlimit old{};
    ::getrlimit(resource, &old);
    const rlimit low{limit, old.rlim_max};
    ::setrlimit(resource, &low);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const std::string error = error_of(action);
    std::signal(SIGXFSZ, handler);
    ::setrlimit(resource, &old);
    return error;
}

TEST_F(WholeFile, LimitsOfTheSystemAreNamed) {
    write_text(folder_ + "a", "text");
#ifndef __SANITIZE_ADDRESS__  // with the sanitizers comes one that opens a pipe to check an object's type
    EXPECT_EQ(error_under(RLIMIT_NOFILE, 0, [&] { read_whole_file(folder_ + "a", "a file"); }),
              "cannot read '" + folder_ + "a': Too many open files; expected a higher limit on open files " +
                  "(ulimit -n)");
    EXPECT_EQ(error_under(RLIMIT_NOFILE, 0, [&] { write_text(folder_ + "b", ""); }),
              "cannot write '" + folder_ + "b': Too many open files; expected a higher limit on open files " +
                  "(ulimit -n)");
#endif
    EXPECT_EQ(error_under(RLIMIT_FSIZE, 4'096, [&] { write_text(folder_ + "b", std::string(100'000, 'x')); }),
              "cannot write '" + folder_ + "b': File too large; expected a higher limit on file sizes " +
                  "(ulimit -f), or a shorter file");
    EXPECT_EQ(error_of([] { write_text("/dev/full", std::string(100'000, 'x')); }),
              "cannot write '/dev/full': No space left on device; expected a disk with enough room");
    EXPECT_EQ(error_of([&] { read_whole_file(folder_ + "none", "a YAML file"); }),
              "cannot read '" + folder_ + "none': No such file or directory; expected a YAML file");
    EXPECT_THAT(names(), testing::ElementsAre("a"));
}

}  // namespace
}  // namespace interlace
