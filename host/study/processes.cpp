// Interlace: work in processes of its own
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "processes.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <vector>

namespace interlace {
namespace {

using Clock = std::chrono::steady_clock;

/// The first byte that a child sends.
constexpr char task_done = 'd';
constexpr char task_failed = 'f';

struct Child {
    pid_t process;
    int pipe;
    std::size_t task;
    std::string received;
    Clock::time_point start;
};

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), fmt::format("cannot {}", what));
}

void send(int pipe, const std::string& text) {
    std::size_t sent = 0;
    while (sent < text.size()) {
        const ssize_t count = ::write(pipe, text.data() + sent, text.size() - sent);
        if (count < 0 && errno != EINTR) ::_exit(1);
        if (count > 0) sent += static_cast<std::size_t>(count);
    }
}

[[noreturn]] void be_child(pid_t parent, int pipe, std::size_t task,
                           const std::function<std::string(std::size_t)>& compute) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    try {
        send(pipe, task_done + compute(task));
    } catch (const std::bad_alloc&) {
        send(pipe, std::string(1, task_failed) + "not enough memory");
    } catch (const std::exception& error) {
        send(pipe, std::string(1, task_failed) + error.what());
    }
    ::_exit(0);
}

/// The children that run, and their end if this ends first.
class Children {
  public:
    Children() = default;
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;
    ~Children() {
        for (const Child& child : children_) {
            ::kill(child.process, SIGKILL);
            ::waitpid(child.process, nullptr, 0);
            ::close(child.pipe);
        }
    }

    std::size_t size() const { return children_.size(); }

    void start(std::size_t task, const std::function<std::string(std::size_t)>& compute) {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0) fail("make a pipe");
        std::fflush(nullptr);
        const pid_t parent = ::getpid();
        const pid_t process = ::fork();
        if (process < 0) fail("start a process");
        if (process == 0) be_child(parent, ends[1], task, compute);
        ::close(ends[1]);
        children_.push_back({process, ends[0], task, {}, Clock::now()});
    }

    /// Waits for what children send, at most a second, and takes out those that have ended.
    std::vector<Child> wait() {
        std::vector<pollfd> pipes;
        pipes.reserve(children_.size());
        for (const Child& child : children_) pipes.push_back({child.pipe, POLLIN, 0});
        if (::poll(pipes.data(), pipes.size(), 1000) < 0 && errno != EINTR) fail("wait for processes");
        std::vector<Child> ended;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < pipes.size(); ++i) {
            if (pipes[i].revents != 0 && !receive(children_[i]))
                ended.push_back(std::move(children_[i]));
            else if (kept++ != i)
                children_[kept - 1] = std::move(children_[i]);
        }
        children_.resize(kept);
        return ended;
    }

  private:
    /// False at the end of what it sends.
    static bool receive(Child& child) {
        std::array<char, 65'536> buffer{};
        const ssize_t count = ::read(child.pipe, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) return true;
        if (count <= 0) return false;
        child.received.append(buffer.data(), static_cast<std::size_t>(count));
        return true;
    }

    std::vector<Child> children_;
};

TaskOutcome outcome_of(const Child& child) {
    int status = 0;
    while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
    }
    ::close(child.pipe);
    TaskOutcome outcome;
    outcome.seconds = std::chrono::duration<double>(Clock::now() - child.start).count();
    outcome.failed = true;
    if (WIFSIGNALED(status)) {
        outcome.text = fmt::format("its process was ended by signal {} ({})", WTERMSIG(status),
                                   ::strsignal(WTERMSIG(status)));
    } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || child.received.empty()) {
        outcome.text = "its process ended without a result";
    } else {
        outcome.failed = child.received.front() == task_failed;
        outcome.text = child.received.substr(1);
    }
    return outcome;
}

}  // namespace

void run_in_processes(std::uint32_t jobs, std::size_t tasks,
                      const std::function<std::string(std::size_t)>& compute,
                      const std::function<void(std::size_t, const TaskOutcome&)>& finished,
                      const std::function<void()>& waiting) {
    Children children;
    std::size_t next = 0;
    while (next < tasks || children.size() > 0) {
        while (next < tasks && children.size() < jobs) children.start(next++, compute);
        for (const Child& child : children.wait()) finished(child.task, outcome_of(child));
        waiting();
    }
}

}  // namespace interlace
