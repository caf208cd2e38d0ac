// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory_store.h"
#include "tests/core/store/contract/fixture.h"
#include "tests/support/manual_time.h"

namespace idem::test {

namespace {

class MemoryHarness final : public StoreHarness
{
public:
    Store &make(const Policy &policy) override
    {
        m_store.reset();
        MemoryStoreOptions options;
        options.policy = policy;
        options.clock = &m_clock;
        options.scheduler = &m_scheduler;
        m_store = std::make_unique<MemoryStore>(std::move(options));
        return *m_store;
    }
    void advance(Duration span) override { m_scheduler.advance(span); }
    std::size_t pendingTimers() const override { return m_scheduler.pending(); }

private:
    ManualClock m_clock;
    ManualScheduler m_scheduler {m_clock};
    std::unique_ptr<MemoryStore> m_store;
};

} // namespace

std::unique_ptr<StoreHarness> makeMemoryHarness()
{
    return std::make_unique<MemoryHarness>();
}

INSTANTIATE_TEST_SUITE_P(Memory, StoreContract, testing::Values(Backend {"memory", makeMemoryHarness}));

} // namespace idem::test
