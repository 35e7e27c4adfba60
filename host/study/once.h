// Interlace: values that several rows need, each computed once
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <future>
#include <map>
#include <mutex>

namespace interlace {

/// Whoever asks first for the value of a key computes it; others wait for it. Safe from any thread.
template <class Key, class Value>
class Once {
  public:
    Value of(const Key& key, const std::function<Value()>& compute) {
        const auto value = [&] {
            const std::lock_guard lock(mutex_);
            const auto [found, fresh] = values_.try_emplace(key);
            if (fresh) found->second = std::async(std::launch::deferred, compute).share();
            return found->second;
        }();
        return value.get();
    }

  private:
    std::mutex mutex_;
    std::map<Key, std::shared_future<Value>> values_;
};

}  // namespace interlace
