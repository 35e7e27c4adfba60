// Interlace: a build without cpp-httplib
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/error.h"
#include "interlace/report/serve.h"

namespace interlace {

class ReportServer::Server {};

ReportServer::ReportServer(const std::vector<std::string>& /*files*/, const std::string& /*title*/,
                           int /*port*/) {
    throw InputError("cannot use --serve", "a build with cpp-httplib (Debian's libcpp-httplib-dev)");
}

ReportServer::~ReportServer() = default;

int ReportServer::port() const {
    return 0;
}

void ReportServer::run() {}

void ReportServer::stop() {}

}  // namespace interlace
