// Interlace: tests of a report over HTTP: what it says, to whom, and what it leaves alone
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/report/serve.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/core/whole_file.h"
#include "interlace/report/document.h"
#include "interlace/report/page.h"
#include "interlace/results/results_file.h"
#include "support/error_of.h"

namespace interlace {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

/// What a server at `address` answers to `request`, all of it; nothing where nobody listens.
std::optional<std::string> answer_of(const std::string& address, int port, const std::string& request) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    const timeval patience = {30, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in at = {};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, address.c_str(), &at.sin_addr);
    std::optional<std::string> answer;
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0) {
        answer = "";
        EXPECT_EQ(::send(socket, request.data(), request.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(request.size()));
        std::array<char, 4096> piece = {};
        for (ssize_t got = 0; (got = ::recv(socket, piece.data(), piece.size(), 0)) > 0;)
            answer->append(piece.data(), static_cast<std::size_t>(got));
    }
    ::close(socket);
    return answer;
}

std::string body_of(const std::string& answer) {
    return answer.substr(answer.find("\r\n\r\n") + 4);
}

std::string header_of(const std::string& answer, const std::string& name) {
    const std::size_t begin = answer.find("\r\n" + name + ": ");
    if (begin == std::string::npos) return "none";
    const std::size_t value = begin + name.size() + 4;
    return answer.substr(value, answer.find("\r\n", value) - value);
}

/// A sweep of four points of one measurement, of which one has ended.
class Served : public testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::create_directories(folder_);
        ResultsFile results(file_, ResultsFile::Mode::write);
        std::vector<SweepMember> members;
        for (int point = 0; point < 4; ++point)
            members.push_back({std::to_string(point), {{"broadcast.packets", std::to_string(point + 1)}}});
        results.begin("slow", "", members);
        store(results, 0);
        try {
            server_.emplace(std::vector<std::string>{file_}, "Live & <well>", 0);
        } catch (const InputError& error) {
            GTEST_SKIP() << error.what();
        }
        thread_ = std::thread([this] { server_->run(); });
    }
    void TearDown() override {
        if (thread_.joinable()) {
            server_->stop();
            thread_.join();
        }
        std::filesystem::remove_all(folder_);
    }
    static void store(ResultsFile& results, int point) {
        const Json configuration = {{"broadcast", {{"packets", point + 1}}}};
        const Json result = {{"schema", "interlace.broadcast/1"}, {"steps", 10 * point + 7}};
        results.store({std::to_string(point), configuration, false, "", result, "now", 0.5});
    }
    std::string ask(const std::string& request) const {
        return answer_of("127.0.0.1", server_->port(), request).value_or("nobody");
    }
    std::string get(const std::string& path, const std::string& more = "") const {
        return ask(
            fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}\r\n", path, server_->port(), more));
    }
    std::map<std::string, std::string> on_disk() const {
        std::map<std::string, std::string> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder_))
            files[entry.path().filename()] = read_whole_file(entry.path(), "a file");
        return files;
    }

    const std::string folder_ = testing::TempDir() + "served" + std::to_string(::getpid()) + "/";
    const std::string file_ = folder_ + "slow.db";
    std::optional<ReportServer> server_;
    std::thread thread_;
};

/// Connections that send a byte of a request, each in turn, as long as they live.
class SlowClients {
  public:
    SlowClients(int port, int count) {
        sockaddr_in at = {};
        at.sin_family = AF_INET;
        at.sin_port = htons(static_cast<std::uint16_t>(port));
        ::inet_pton(AF_INET, "127.0.0.1", &at.sin_addr);
        for (int i = 0; i < count; ++i) {
            sockets_.push_back(::socket(AF_INET, SOCK_STREAM, 0));
            EXPECT_EQ(::connect(sockets_.back(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
        }
        thread_ = std::thread([this] {
            for (std::size_t i = 0; !over_; i = (i + 1) % sockets_.size()) {
                ::send(sockets_[i], "G", 1, MSG_NOSIGNAL);
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        });
    }
    ~SlowClients() {
        over_ = true;
        thread_.join();
        for (const int socket : sockets_) ::close(socket);
    }
    SlowClients(const SlowClients&) = delete;
    SlowClients& operator=(const SlowClients&) = delete;

  private:
    std::vector<int> sockets_;
    std::atomic<bool> over_ = false;
    std::thread thread_;
};

TEST_F(Served, IsNotHeldUpBySlowClients) {
    const SlowClients clients(server_->port(), 32);
    for (int times = 0; times < 10; ++times) EXPECT_THAT(get("/document.json"), StartsWith("HTTP/1.1 200"));
}

// A client that asks for the same bytes 2,000 times does not take 2,000 times the memory.
TEST_F(Served, RefusesManyRanges) {
    std::string ranges = "Range: bytes=0-";
    for (int i = 0; i < 2000; ++i) ranges += ",0-";
    EXPECT_THAT(get("/document.json", ranges + "\r\n"), testing::Not(StartsWith("HTTP/1.1 20")));
}

// Whose writer may never come.
TEST_F(Served, DoesNotWaitForAPipe) {
    ASSERT_EQ(::mkfifo((folder_ + "pipe").c_str(), 0600), 0);
    EXPECT_THAT(error_of([&] { ReportServer({folder_ + "pipe"}, "", 0); }), HasSubstr("is a pipe"));
    std::filesystem::rename(folder_ + "pipe", file_);
    EXPECT_EQ(Json::parse(body_of(get("/document.json")))["parts"][0]["pending"], 3);
}

TEST_F(Served, IsThePageAndItsDocument) {
    const std::string page = get("/");
    EXPECT_THAT(page, StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(header_of(page, "Content-Type"), StartsWith("text/html"));
    EXPECT_THAT(body_of(page), StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(header_of(page, "Content-Security-Policy"), StartsWith("default-src 'none'"));
    const std::string answer = get("/document.json");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
    Json document = Json::parse(body_of(answer));
    EXPECT_EQ(header_of(answer, "ETag"), "\"" + document["live"].get<std::string>() + "\"");
    document.erase("live");
    EXPECT_EQ(document, report_document({file_}, "Live & <well>"));
    EXPECT_EQ(document["parts"][0]["pending"], 3);
}

TEST_F(Served, HasPointsAsTheyCome) {
    std::string answer = get("/document.json");
    std::string tag = header_of(answer, "ETag");
    ResultsFile results(file_, ResultsFile::Mode::write);
    for (int point = 1; point < 4; ++point) {
        answer = get("/document.json", "If-None-Match: " + tag + "\r\n");
        EXPECT_THAT(answer, StartsWith("HTTP/1.1 304"));
        EXPECT_EQ(body_of(answer), "");
        store(results, point);
        // It may just have looked.
        for (int tries = 0; answer.starts_with("HTTP/1.1 304") && tries < 100; ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            answer = get("/document.json", "If-None-Match: " + tag + "\r\n");
        }
        EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
        EXPECT_NE(header_of(answer, "ETag"), tag);
        tag = header_of(answer, "ETag");
        const Json part = Json::parse(body_of(answer))["parts"][0];
        EXPECT_EQ(part["pending"], 3 - point);
        EXPECT_EQ(part["rows"][point], Json({point + 1, 10 * point + 7}));
    }
}

TEST_F(Served, LeavesFilesAsTheyAre) {
    const auto before = on_disk();
    ASSERT_EQ(before.size(), 1U);
    for (int times = 0; times < 3; ++times) get("/document.json");
    EXPECT_EQ(on_disk(), before);
    // What is not a file of results any more is shown as it was.
    write_whole_file(file_, [](std::ostream& out) { out << "SQLite format 3, but no more"; });
    EXPECT_EQ(Json::parse(body_of(get("/document.json")))["parts"][0]["pending"], 3);
    std::filesystem::remove(file_);
    EXPECT_THAT(get("/"), StartsWith("HTTP/1.1 200"));
    EXPECT_TRUE(on_disk().empty());
}

TEST_F(Served, KnowsGetAlone) {
    for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}) {
        const std::string answer = ask(fmt::format(
            "{} / HTTP/1.1\r\nHost: localhost:{}\r\nContent-Length: 0\r\n\r\n", method, server_->port()));
        EXPECT_THAT(answer, StartsWith("HTTP/1.1 405")) << method;
        EXPECT_EQ(header_of(answer, "Allow"), "GET");
    }
    for (const char* path : {"/slow.db", "/../slow.db", "/document.json/", "/%2e%2e/etc/passwd", "//"})
        EXPECT_THAT(get(path), StartsWith("HTTP/1.1 404")) << path;
    EXPECT_THAT(ask("nonsense\r\n\r\n"), AnyOf("", StartsWith("HTTP/1.1 400")));
    EXPECT_THAT(get("/"), StartsWith("HTTP/1.1 200"));  // and goes on
}

// A site whose name its owner binds to 127.0.0.1 is, for a browser, of that site's origin: only Host tells.
TEST_F(Served, AnswersOnlyToItsOwnName) {
    const int port = server_->port();
    for (const std::string& host : {std::string("evil.example"), fmt::format("evil.example:{}", port),
                                    std::string("127.0.0.1"), fmt::format("127.0.0.1:{}", port + 1),
                                    fmt::format("127.0.0.1.evil.example:{}", port), std::string()})
        for (const char* path : {"/", "/document.json"}) {
            const std::string answer = ask(fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", path, host));
            EXPECT_THAT(answer, StartsWith("HTTP/1.1 403")) << host;
            EXPECT_EQ(answer.find("slow"), std::string::npos);
        }
    EXPECT_THAT(ask("GET / HTTP/1.0\r\n\r\n"), HasSubstr(" 403 "));
    EXPECT_THAT(get("/", "Host: evil.example\r\n"), StartsWith("HTTP/1.1 403"));
    EXPECT_THAT(ask(fmt::format("GET / HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", port)),
                StartsWith("HTTP/1.1 200"));
    EXPECT_FALSE(answer_of("127.0.0.2", port, "").has_value());  // other addresses of this machine
}

// The thread that serves may not even have begun.
TEST_F(Served, StopsBeforeItListens) {
    for (int i = 0; i < 50; ++i) {
        ReportServer server({file_}, "", 0);
        std::thread runs([&] { server.run(); });
        server.stop();
        runs.join();
    }
}

TEST_F(Served, HasAPortOfItsOwn) {
    const int port = server_->port();
    EXPECT_EQ(
        error_of([&] { ReportServer({file_}, "", port); }),
        fmt::format("port {} of 127.0.0.1 is in use, or may not be taken; expected --port with one that "
                    "is free, or 0 for any",
                    port));
    EXPECT_THAT(error_of([&] { ReportServer({folder_ + "none.db"}, "", 0); }), HasSubstr("none.db"));
    server_->stop();
    thread_.join();
    EXPECT_FALSE(answer_of("127.0.0.1", port, "").has_value());
}

// Who asks in between is not left waiting: the port is closed.
TEST_F(Served, MayBeStoppedBeforeItRuns) {
    ReportServer early({file_}, "", 0);
    early.stop();
    early.run();
    EXPECT_FALSE(answer_of("127.0.0.1", early.port(), "").has_value());
}

}  // namespace
}  // namespace interlace
