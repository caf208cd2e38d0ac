// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/store.h"

#include <condition_variable>
#include <mutex>

namespace idem {

namespace {

Outcome beginAndSleep(Store &store, const BeginRequest &request)
{
    std::mutex mutex;
    std::condition_variable known;
    std::optional<Outcome> result;
    store.beginAsync(request, [&](Outcome outcome) {
        // Notified under the mutex: the sleeper may destroy it as soon as it is free.
        const std::lock_guard lock(mutex);
        result.emplace(std::move(outcome));
        known.notify_one();
    });
    std::unique_lock lock(mutex);
    known.wait(lock, [&] { return result.has_value(); });
    return *std::move(result);
}

} // namespace

Store::~Store() = default;

Outcome Store::begin(const BeginRequest &request)
{
    if (request.wait > Duration::zero()) {
        return beginAndSleep(*this, request);
    }
    std::optional<Outcome> result;
    beginAsync(request, [&result](Outcome outcome) { result.emplace(std::move(outcome)); });
    Q_ASSERT(result);
    return *std::move(result);
}

std::vector<Outcome> Store::beginMany(std::span<const BeginRequest> requests)
{
    std::vector<Outcome> outcomes;
    outcomes.reserve(requests.size());
    for (BeginRequest request : requests) {
        request.wait = Duration::zero();
        outcomes.push_back(begin(request));
    }
    return outcomes;
}

} // namespace idem
