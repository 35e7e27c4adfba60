// Interlace: another program, run to its end
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/tools/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "interlace/core/error.h"
#include "interlace/core/system_refusal.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every unistd.h

namespace interlace {

TemporaryFolder::TemporaryFolder() : path_(std::filesystem::temp_directory_path() / "interlace-XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr)
        throw FellShort(fmt::format("cannot make a folder in {}: {}",
                                    std::filesystem::temp_directory_path().string(), std::strerror(errno)));
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

int run_process(const std::vector<std::string>& command, const std::string& output,
                const std::function<void()>& meanwhile) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::posix_spawn_file_actions_adddup2(&files, 1, 2);
    pid_t process = 0;
    const int error = ::posix_spawnp(&process, arguments[0], &files, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    if (error != 0)
        throw system_refusal(fmt::format("cannot run {}", command.front()), error,
                             fmt::format("the program {} to be installed", command.front()));
    int status = 0;
    for (pid_t ended = 0; ended != process;) {
        ended = ::waitpid(process, &status, meanwhile ? WNOHANG : 0);
        if (ended == process) break;
        if (meanwhile) meanwhile();
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace interlace
