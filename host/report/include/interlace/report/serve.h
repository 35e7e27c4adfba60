// Interlace: a report over HTTP, on this machine alone
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace interlace {

/// Serves the page of a report on 127.0.0.1, which looks for new results by itself:
///
/// - GET / : the page with the document as it is now;
/// - GET /document.json : the document (docs/report.md), its "live" as ETag; 304 for If-None-Match of that.
///
/// Other methods are answered 405, other paths 404, and requests whose Host is not this server (as those of
/// a site are whose name was bound to this address) 403. Files are only read.
class ReportServer {
  public:
    /// Takes the port (0: any that is free). Throws InputError for files that report_document() refuses, a
    /// port that is taken, and where the build lacks the page (report/page.h) or cpp-httplib.
    ReportServer(const std::vector<std::string>& files, const std::string& title, int port);
    ~ReportServer();
    ReportServer(const ReportServer&) = delete;
    ReportServer& operator=(const ReportServer&) = delete;

    int port() const;
    /// Answers until another thread calls stop(), at any time; once.
    void run();
    void stop();

  private:
    class Server;
    std::unique_ptr<Server> server_;
};

}  // namespace interlace
