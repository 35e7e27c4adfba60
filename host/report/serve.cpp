// Interlace: a report over HTTP, by cpp-httplib
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/report/serve.h"

#include <fmt/format.h>
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "interlace/core/error.h"
#include "interlace/report/page.h"
#include "watched_document.h"

namespace interlace {
namespace {

constexpr const char* address = "127.0.0.1";
constexpr std::size_t threads = 64;  // each of which waits for one client, that may be slow
constexpr int patience = 2;          // seconds, with a client that says nothing

/// The page is all there is: it loads nothing from elsewhere, and nobody may put it into a frame.
const httplib::Headers headers = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
     "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"X-Content-Type-Options", "nosniff"},
    {"Cache-Control", "no-store"}};

/// Debian's 0.11.4 lets several servers share a port, unless told otherwise.
void own_port(socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

void answer(httplib::Response& response, int status, const std::string& sentence) {
    response.status = status;
    response.set_content(sentence + "\n", "text/plain");
}

std::string text_of(const Json& document) {
    return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

class ReportServer::Server {
  public:
    Server(const std::vector<std::string>& files, const std::string& title, int port)
        : document_(files, title) {
        report_page(Json::object());  // throws where there is none
        server_.set_socket_options(own_port);
        server_.set_default_headers(headers);
        server_.set_keep_alive_max_count(1);
        server_.set_read_timeout(patience);
        server_.set_write_timeout(patience);
        server_.set_payload_max_length(0);
        server_.new_task_queue = [] { return new httplib::ThreadPool(threads); };
        server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
            return refused(request, response) ? httplib::Server::HandlerResponse::Handled
                                              : httplib::Server::HandlerResponse::Unhandled;
        });
        server_.Get("/", [this](const httplib::Request&, httplib::Response& response) {
            response.set_content(report_page(*document_.now()), "text/html; charset=utf-8");
        });
        server_.Get("/document.json", [this](const httplib::Request& request, httplib::Response& response) {
            send_document(request, response);
        });
        port_ =
            port == 0 ? server_.bind_to_any_port(address) : (server_.bind_to_port(address, port) ? port : -1);
        if (port_ < 0)
            throw InputError(fmt::format("port {} of {} is in use, or may not be taken", port, address),
                             "--port with one that is free, or 0 for any");
    }

    int port() const { return port_; }
    void run() {
        State before = State::idle;
        const bool stopped = !state_.compare_exchange_strong(before, State::runs);
        // The library closes its socket, at which clients may be waiting, only once it has listened.
        std::thread stopper;
        if (stopped) stopper = std::thread([this] { stop_listening(); });
        server_.listen_after_bind();
        over_ = true;
        if (stopper.joinable()) stopper.join();
    }
    void stop() {
        if (state_.exchange(State::stopped) == State::runs) stop_listening();
    }

  private:
    enum class State { idle, runs, stopped };

    /// The library does not hear of it before it listens.
    void stop_listening() {
        while (!over_ && !server_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (!over_) server_.stop();
    }
    /// Whether nothing but a refusal is said.
    bool refused(const httplib::Request& request, httplib::Response& response) const {
        const std::string host = request.get_header_value("Host");
        if (request.get_header_value_count("Host") != 1 ||
            (host != fmt::format("{}:{}", address, port_) && host != fmt::format("localhost:{}", port_)))
            answer(response, 403, fmt::format("Ask {}:{}.", address, port_));
        else if (request.method != "GET") {
            answer(response, 405, "This server is read-only: only GET is supported.");
            response.set_header("Allow", "GET");
        } else if (request.ranges.size() > 1) {
            answer(response, 416, "Ask for all of it, or for one range.");
        } else
            return false;
        return true;
    }

    void send_document(const httplib::Request& request, httplib::Response& response) {
        const auto document = document_.now();
        const std::string tag = "\"" + (*document)["live"].get<std::string>() + "\"";
        response.set_header("ETag", tag);
        if (request.get_header_value("If-None-Match") == tag)
            response.status = 304;
        else
            response.set_content(text_of(*document), "application/json");
    }

    WatchedDocument document_;
    httplib::Server server_;
    int port_ = -1;
    std::atomic<State> state_ = State::idle;
    std::atomic<bool> over_ = false;
};

ReportServer::ReportServer(const std::vector<std::string>& files, const std::string& title, int port)
    : server_(std::make_unique<Server>(files, title, port)) {}

ReportServer::~ReportServer() = default;

int ReportServer::port() const {
    return server_->port();
}

void ReportServer::run() {
    server_->run();
}

void ReportServer::stop() {
    server_->stop();
}

}  // namespace interlace
