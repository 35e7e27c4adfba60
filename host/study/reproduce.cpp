// Interlace: published tables and figures beside what is computed here
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/reproduce.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <thread>

#include "claims.h"
#include "interlace/config/config_map.h"
#include "interlace/core/error.h"
#include "row_job.h"
#include "shipped_papers.h"

namespace interlace {
namespace {

struct TablePlan {
    ReproducedTable table;
    std::vector<RowJob> rows;
    std::vector<ClaimJob> claims;
};

TablePlan read_table(const std::string& text, const std::string& name, const std::string& place,
                     const ReproduceOptions& options, const std::shared_ptr<TorusSteps>& steps) {
    ConfigMap config = ConfigMap::from_text(text, place);
    TablePlan plan{{name, config.text("title"), {}}, {}, {}};
    const std::string kind = config.text("kind", "torus");
    if (kind != "torus" && kind != "cluster")
        throw InputError("cannot use kind '" + kind + "'", "torus or cluster").at(config.place("kind"));
    for (ConfigMap& row : config.maps("rows")) {
        if (kind == "torus" && row.has("claim"))
            for (ClaimJob& job : claim_rows(row, options)) plan.claims.push_back(std::move(job));
        else
            for (RowJob& job : kind == "torus" ? torus_rows(row, options, steps) : cluster_rows(row, options))
                plan.rows.push_back(std::move(job));
    }
    config.finish();
    return plan;
}

std::vector<TablePlan> read_tables(const std::string& paper, const ReproduceOptions& options) {
    std::vector<TablePlan> plans;
    std::string names;
    const auto steps = make_torus_steps();
    for (const auto& file : shipped_papers()) {
        if (file.folder != paper) continue;
        names += (names.empty() ? "" : ", ") + file.name;
        if (!options.name.empty() && options.name != file.name) continue;
        plans.push_back(read_table(file.text, file.name,
                                   "configs/papers/" + file.folder + "/" + file.name + ".yaml", options,
                                   steps));
    }
    if (names.empty())
        throw InputError("cannot use paper '" + paper + "'", "ibt, allgather, alltoall, hnow or exchange");
    if (plans.empty())
        throw InputError("cannot use '" + options.name + "' of the paper '" + paper + "'", names);
    return plans;
}

/// Calls work(0) .. work(count - 1) on all cores; the first exception ends it.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto worker = [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++) work(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            next = count;
        }
    };
    std::vector<std::thread> threads;
    for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t) threads.emplace_back(worker);
    worker();
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
}

std::vector<ReproducedTable> run_tables(std::vector<TablePlan> plans, const ReproduceOptions& options) {
    std::vector<std::pair<const RowJob*, ReproducedRow*>> work;
    for (TablePlan& plan : plans) {
        plan.table.rows.resize(plan.rows.size());
        for (std::size_t i = 0; i < plan.rows.size(); ++i)
            work.emplace_back(&plan.rows[i], &plan.table.rows[i]);
    }
    std::mutex mutex;
    std::size_t done = 0;
    in_parallel(work.size(), [&](std::size_t i) {
        *work[i].second = (*work[i].first)();
        const std::lock_guard lock(mutex);
        if (options.progress) options.progress(++done, work.size());
    });
    std::vector<ReproducedTable> tables;
    tables.reserve(plans.size());
    for (TablePlan& plan : plans) {
        std::vector<ReproducedRow> claims;
        for (const ClaimJob& claim : plan.claims) claims.push_back(claim(plan.table.rows));
        std::move(claims.begin(), claims.end(), std::back_inserter(plan.table.rows));
        tables.push_back(std::move(plan.table));
    }
    return tables;
}

}  // namespace

bool ReproducedTable::holds() const {
    return std::none_of(rows.begin(), rows.end(),
                        [](const ReproducedRow& row) { return row.verdict == "BROKEN"; });
}

ReproducedTable reproduce_text(const std::string& text, const std::string& name,
                               const ReproduceOptions& options) {
    return run_tables({read_table(text, name, name, options, make_torus_steps())}, options).front();
}

std::vector<ReproducedTable> reproduce(const std::string& paper, const ReproduceOptions& options) {
    return run_tables(read_tables(paper, options), options);
}

Json to_json(const std::vector<ReproducedTable>& tables, const std::string& paper,
             const ReproduceOptions& options) {
    Json json = json_result("reproduce", options.seed);
    json["experiment"] = {{"paper", paper}, {"name", options.name}, {"large", options.large}};
    json["holds"] =
        std::all_of(tables.begin(), tables.end(), [](const auto& table) { return table.holds(); });
    for (const ReproducedTable& table : tables) {
        Json rows = Json::array();
        for (const ReproducedRow& row : table.rows)
            rows.push_back({{"quantity", row.quantity},
                            {"network", row.network},
                            {"source", row.source},
                            {"published", row.published},
                            {"computed", row.computed},
                            {"deviation", row.deviation},
                            {"optimal", row.optimal},
                            {"lower_bound", row.lower_bound},
                            {"verdict", row.verdict},
                            {"why", row.why}});
        json["tables"].push_back({{"name", table.name}, {"title", table.title}, {"rows", rows}});
    }
    return json;
}

}  // namespace interlace
