// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the window derives from an old copy of a record is what the store itself says at that moment, to the tick.

#include "app/models/record_text.h"
#include "core/store/memory_store.h"
#include "tests/support/manual_time.h"

#include <QTest>

using namespace idem;
using namespace idem::app;
using namespace std::chrono_literals;

namespace {

constexpr Duration tick {1};

/// A store with one record of key "k", whose view is taken at once and then grows old.
class Aging
{
public:
    explicit Aging(const Policy &policy)
        : m_scheduler(m_clock)
        , store({.policy = policy, .clock = &m_clock, .scheduler = &m_scheduler})
    {
        Outcome outcome = store.begin({.tenant = "t", .key = "k"});
        claim = std::move(std::get<Fresh>(outcome).claim);
        old = *store.find(claim.ownership().identity);
    }
    ~Aging() { claim.detach(); }
    Q_DISABLE_COPY_MOVE(Aging)

    void advance(Duration span) { m_scheduler.advance(span); }
    [[nodiscard]] std::optional<RecordView> now() const { return store.find(claim.ownership().identity); }
    [[nodiscard]] Instant time() const { return m_clock.now(); }

private:
    test::ManualClock m_clock;
    test::ManualScheduler m_scheduler;

public:
    MemoryStore store;
    Claim claim;
    RecordView old;
};

} // namespace

class RecordTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void leaseEndsWhereTheStoreSays();
    void withoutLeaseItIsStuckWhereTheStoreSays();
    void expiresWhereTheStoreSays();
    void everyStateHasItsVisual();
};

void RecordTextTest::leaseEndsWhereTheStoreSays()
{
    const Policy policy {.lease = 15s};
    Aging aging(policy);
    aging.advance(15s - tick);
    QVERIFY(stateAt(aging.old, aging.time()) == State::InProgress);
    QVERIFY(aging.now()->state == State::InProgress);
    QVERIFY(!isStuckAt(aging.old, aging.time(), policy) && !aging.now()->stuck);
    aging.advance(tick);
    QVERIFY(stateAt(aging.old, aging.time()) == State::LeaseExpired);
    QVERIFY(aging.now()->state == State::LeaseExpired);
    QVERIFY(isStuckAt(aging.old, aging.time(), policy) && aging.now()->stuck);
    QVERIFY(visualAt(aging.old, aging.time(), policy) == Visual::Stuck);
}

void RecordTextTest::withoutLeaseItIsStuckWhereTheStoreSays()
{
    const Policy policy {.lease = std::nullopt, .stuckAfter = 60s};
    Aging aging(policy);
    aging.advance(60s - tick);
    QVERIFY(!isStuckAt(aging.old, aging.time(), policy) && !aging.now()->stuck);
    aging.advance(tick);
    QVERIFY(isStuckAt(aging.old, aging.time(), policy) && aging.now()->stuck);
}

void RecordTextTest::expiresWhereTheStoreSays()
{
    const Policy policy {.ttl = 30s};
    Aging aging(policy);
    const IdentityView identity = aging.claim.ownership().identity;
    QVERIFY(aging.claim.complete({.status = 201}).has_value());
    const RecordView old = *aging.store.find(identity);
    aging.advance(30s - tick);
    QVERIFY(visualAt(old, aging.time(), policy) == Visual::Completed);
    QVERIFY(aging.store.find(identity).has_value());
    aging.advance(tick);
    QVERIFY(visualAt(old, aging.time(), policy) == Visual::Expired);
    QVERIFY(!aging.store.find(identity).has_value());
}

void RecordTextTest::everyStateHasItsVisual()
{
    QVERIFY(visualOf(State::InProgress) == Visual::InProgress);
    QVERIFY(visualOf(State::Completed) == Visual::Completed);
    QVERIFY(visualOf(State::Failed) == Visual::Failed);
    QVERIFY(visualOf(State::Abandoned) == Visual::Abandoned);
    QVERIFY(visualOf(State::LeaseExpired) == Visual::Stuck);
    QVERIFY(visualOf(State::OutcomeUnknown) == Visual::Unknown);
}

QTEST_GUILESS_MAIN(RecordTextTest)
#include "record_text_test.moc"
