// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/forwarding_store.h"

#include <functional>
#include <vector>

namespace idem::sim {

/// A store that can lose everything: restart() closes the store within and puts a new one in its place. Claims, waits
/// and subscriptions go through this one, so that they outlive a restart; a claim from before it is refused as
/// unknown. Thread-safety: restart() from one thread, while no other verb runs.
class RestartableStore final : public ForwardingStore
{
public:
    explicit RestartableStore(std::function<std::unique_ptr<Store>()> make);

    /// Waiters are woken with Rejected (Closed); every record is gone.
    void restart();

    [[nodiscard]] std::shared_ptr<EventStream> subscribe(std::size_t capacity) override;

private:
    class Stream;
    std::function<std::unique_ptr<Store>()> m_make;
    std::vector<std::weak_ptr<Stream>> m_streams;
};

} // namespace idem::sim
