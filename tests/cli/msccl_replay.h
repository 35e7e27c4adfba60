// Interlace: a reader of MSCCL programs that runs them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace interlace {

/// A program of MSCCL as its XML says, read and run here: GPUs whose thread blocks do their steps in order,
/// each when the step that it depends on is done; what is sent is taken in the order of its sender.
class MscclReplay {
  public:
    using Attributes = std::map<std::string, std::string>;
    using Chunk = std::multiset<std::string>;  ///< what was added up

    explicit MscclReplay(const std::string& xml) {
        const std::regex element("<(algo|gpu|tb|step) ([^>]*)>"), attribute("(\\w+)=\"([^\"]*)\"");
        for (std::sregex_iterator e(xml.begin(), xml.end(), element), end; e != end; ++e) {
            Attributes values;
            const std::string text = (*e)[2];
            for (std::sregex_iterator a(text.begin(), text.end(), attribute), last; a != last; ++a)
                values[(*a)[1]] = (*a)[2];
            if ((*e)[1] == "algo") algo_ = values;
            if ((*e)[1] == "gpu") gpus_.push_back({values, {}});
            if ((*e)[1] == "tb") gpus_.back().blocks.push_back({values, {}});
            if ((*e)[1] == "step") gpus_.back().blocks.back().steps.push_back(values);
        }
    }
    const Attributes& algo() const { return algo_; }
    std::size_t gpus() const { return gpus_.size(); }

    /// Puts chunks into the inputs, runs, and returns whether all steps were done.
    bool run(const std::function<std::string(int gpu, int chunk)>& input) {
        for (int g = 0; g < static_cast<int>(gpus_.size()); ++g)
            for (int c = 0; c < std::stoi(gpus_[static_cast<std::size_t>(g)].values["i_chunks"]); ++c)
                memory_[{g, "i", c}] = {input(g, c)};
        bool moved = true;
        while (std::exchange(moved, false))
            for (int g = 0; g < static_cast<int>(gpus_.size()); ++g)
                for (Block& block : gpus_[static_cast<std::size_t>(g)].blocks)
                    while (block.done < block.steps.size() && step(g, block)) moved = true;
        return std::all_of(gpus_.begin(), gpus_.end(), [](const Gpu& gpu) {
            return std::all_of(gpu.blocks.begin(), gpu.blocks.end(),
                               [](const Block& block) { return block.done == block.steps.size(); });
        });
    }
    Chunk output(int gpu, int chunk) const {
        const auto found = memory_.find({gpu, "o", chunk});
        return found == memory_.end() ? Chunk{} : found->second;
    }
    /// Pairs of GPUs that send to one another.
    std::set<std::pair<int, int>> links() const {
        std::set<std::pair<int, int>> links;
        for (std::size_t g = 0; g < gpus_.size(); ++g)
            for (const Block& block : gpus_[g].blocks)
                if (block.values.at("send") != "-1")
                    links.emplace(static_cast<int>(g), std::stoi(block.values.at("send")));
        return links;
    }

  private:
    struct Block {
        Attributes values;
        std::vector<Attributes> steps;
        std::size_t done = 0;
    };
    struct Gpu {
        Attributes values;
        std::vector<Block> blocks;
    };

    bool step(int g, Block& block) {
        const Attributes& s = block.steps[block.done];
        const int awaited = std::stoi(s.at("depid"));
        if (awaited >= 0) {
            const Block& other =
                gpus_[static_cast<std::size_t>(g)].blocks.at(static_cast<std::size_t>(awaited));
            EXPECT_EQ(other.steps.at(std::stoul(s.at("deps"))).at("hasdep"), "1");
            if (other.done <= std::stoul(s.at("deps"))) return false;
        }
        const auto at = [&](const char* buffer, const char* offset, int more) {
            return std::tuple(g, s.at(buffer), std::stoi(s.at(offset)) + more);
        };
        const std::string& type = s.at("type");
        if (type == "s") {
            sent_[{g, std::stoi(block.values.at("send"))}].push_back(memory_.at(at("srcbuf", "srcoff", 0)));
        } else if (type == "cpy") {
            for (int i = 0; i < std::stoi(s.at("cnt")); ++i)
                memory_[at("dstbuf", "dstoff", i)] = memory_.at(at("srcbuf", "srcoff", i));
        } else {
            auto& coming = sent_[{std::stoi(block.values.at("recv")), g}];
            if (coming.empty()) return false;
            Chunk& here = memory_[at("dstbuf", "dstoff", 0)];
            if (type == "rrc")
                here.insert(coming.front().begin(), coming.front().end());
            else
                here = coming.front();
            coming.pop_front();
        }
        ++block.done;
        return true;
    }

    Attributes algo_;
    std::vector<Gpu> gpus_;
    std::map<std::tuple<int, std::string, int>, Chunk> memory_;  // GPU, buffer, offset
    std::map<std::pair<int, int>, std::deque<Chunk>> sent_;
};

}  // namespace interlace
