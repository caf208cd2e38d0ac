// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/interleavings.h"

#include "tests/core/store/model/describe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <sstream>

namespace idem::test {

namespace {

std::string toText(Act act)
{
    constexpr std::array names {"begin", "side effect", "complete", "fail", "release", "look", "abandon as release",
        "abandon as failed", "abandon as unknown", "settle as executed", "settle as not executed", "sweep",
        "pass a lease", "pass the ttl"};
    return names.at(static_cast<std::size_t>(act));
}

const QString reason = QStringLiteral("ticket 42");
constexpr Duration lease = 10s;
constexpr Duration ttl = 100s;

} // namespace

Policy policyOf(LapsePolicy lapse, LatePolicy late, ExpiryOrigin from)
{
    Policy policy;
    policy.lease = lease;
    policy.ttl = ttl;
    policy.lapse = lapse;
    policy.late = late;
    policy.ttlFrom = from;
    policy.sweepInterval = maxPolicyDuration;
    return policy;
}

Stage::Stage(Policy policy, std::vector<Script> scripts)
    : m_scripts(std::move(scripts))
    , m_model(policy)
{
    MemoryStoreOptions options;
    options.policy = std::move(policy);
    options.clock = &m_clock;
    options.scheduler = &m_scheduler;
    options.shards = 1;
    m_store = std::make_unique<MemoryStore>(std::move(options));
    for (std::size_t actor = 0; actor < m_scripts.size(); ++actor) {
        m_order.insert(m_order.end(), m_scripts[actor].size(), actor);
    }
}

std::uint64_t Stage::replayAll()
{
    do {
        replay();
    } while (!testing::Test::HasFailure() && std::ranges::next_permutation(m_order).found);
    return m_replays;
}

void reportVisited(std::uint64_t orders, std::uint64_t all)
{
    std::cout << "visited " << orders << " interleavings\n";
    testing::Test::RecordProperty("interleavings", std::to_string(orders));
    EXPECT_EQ(orders, all);
}

void Stage::replay()
{
    m_identity = {"acme", "alice", QByteArray::number(m_replays++)};
    m_model = ReferenceStore(m_model.policy());
    m_actors.assign(m_scripts.size(), {});
    m_holder.reset();
    m_lastFence = Fence::None;
    m_result = nullptr;
    std::vector<std::size_t> taken(m_scripts.size());
    for (const std::size_t actor : m_order) {
        step(actor, m_scripts[actor][taken[actor]++]);
    }
    const Instant now = m_clock.now();
    EXPECT_EQ(describe(m_store->find(m_identity)), describe(m_model.find(m_identity, now)));
    EXPECT_EQ(describe(m_store->response(m_identity)), describe(m_model.response(m_identity, now)));
    if (testing::Test::HasFailure()) {
        ADD_FAILURE() << "in the order:" << orderText();
    }
}

void Stage::step(std::size_t number, Act act)
{
    Actor &actor = m_actors[number];
    switch (act) {
    case Act::Begin:
        begin(number);
        break;
    case Act::Look:
        if (const auto view = m_store->find(m_identity)) {
            actor.looked = view->fence;
        }
        break;
    case Act::AbandonAsRelease:
    case Act::AbandonAsFailed:
    case Act::AbandonAsUnknown:
    case Act::SettleExecuted:
    case Act::SettleNotExecuted:
        operate(actor, act);
        break;
    case Act::Sweep:
        m_store->sweepNow();
        m_model.sweep(moment());
        break;
    case Act::PassLease:
        m_clock.advance(lease);
        break;
    case Act::PassExpiry:
        m_clock.advance(ttl);
        break;
    default:
        if (actor.owner) { // else another one runs the operation: this actor does not
            own(number, act);
        }
    }
}

void Stage::begin(std::size_t number)
{
    const QByteArray &key = m_identity.key;
    const BeginRequest request {m_identity.tenant, m_identity.caller, key, "v1:payload", {}, "server"};
    const Begun begun = toBegun(m_store->begin(request));
    const Begun expected = m_model.begin(request, moment(), begun.issued);
    expect(begun.kind == expected.kind && begun.issued == expected.issued && begun.attempt == expected.attempt
            && begun.tookOver == expected.tookOver && begun.state == expected.state,
        "another outcome than the reference's");
    if (begun.kind == OutcomeKind::Replay) {
        expect(m_result != nullptr && *begun.response == *m_result, "a replay of another result");
    }
    if (begun.kind != OutcomeKind::Fresh) {
        return;
    }
    expect(!m_holder || m_clock.now() >= m_holder->leaseEnd, "two live owners");
    expect(begun.issued.fence > m_lastFence, "a fence that does not grow");
    expect(m_result == nullptr || begun.attempt == 1, "a second run after a result");
    m_lastFence = begun.issued.fence;
    m_holder = Holder {begun.issued.fence, begun.leaseEnd.value()};
    m_result = nullptr;
    m_actors[number].owner = {m_identity, begun.issued.fence, begun.issued.token};
}

void Stage::own(std::size_t number, Act act)
{
    const Ownership &owner = *m_actors[number].owner;
    const bool mayAct = m_holder && m_holder->fence == owner.fence;
    std::optional<StoreErrorCode> actual;
    std::optional<StoreErrorCode> expected;
    const auto refusalOf = [](const auto &result) {
        return result ? std::nullopt : std::optional(result.error().code);
    };
    if (act == Act::Complete || act == Act::Fail) {
        const Response answer {201, {}, "by actor " + QByteArray::number(qulonglong(number))};
        const auto done = act == Act::Complete ? m_store->complete(owner, answer) : m_store->fail(owner, reason);
        const auto model =
            act == Act::Complete ? m_model.complete(owner, answer, moment()) : m_model.fail(owner, reason, moment());
        actual = refusalOf(done);
        expected = refusalOf(model);
        expect(!done || !model || describe(*done) == describe(*model), "another completion than the reference's");
        if (done && !done->repeated) {
            expect(mayAct && m_result == nullptr, "a second result");
            m_result = toAnswer(m_store->response(m_identity));
            m_result = m_result ? m_result : std::make_shared<const Response>(answer); // born expired
            m_holder.reset();
        }
    } else if (act == Act::Release) {
        actual = refusalOf(m_store->release(owner));
        expected = refusalOf(m_model.release(owner, moment()));
    } else {
        actual = refusalOf(m_store->sideEffectStarted(owner));
        expected = refusalOf(m_model.sideEffectStarted(owner, moment()));
    }
    expect(actual == expected, "another refusal than the reference's");
    if (act == Act::Release || act == Act::SideEffect) {
        expect(actual || mayAct, "obeyed one who is not the owner");
    }
    if (act == Act::Release && !actual) {
        m_holder.reset();
    }
}

void Stage::operate(const Actor &actor, Act act)
{
    const bool isSettle = act == Act::SettleExecuted || act == Act::SettleNotExecuted;
    const AbandonRequest abandon {actor.looked, reason,
        act == Act::AbandonAsRelease      ? AbandonAs::Release
            : act == Act::AbandonAsFailed ? AbandonAs::Failed
                                          : AbandonAs::Unknown};
    SettleRequest settle {actor.looked, reason, {}};
    if (act == Act::SettleExecuted) {
        settle.executed = Response {200, {}, QByteArray("by the operator")};
    }
    const auto actual = isSettle ? m_store->settle(m_identity, settle) : m_store->abandon(m_identity, abandon);
    const auto expected =
        isSettle ? m_model.settle(m_identity, settle, moment()) : m_model.abandon(m_identity, abandon, moment());
    expect(actual.has_value() == expected.has_value()
            && (actual ? actual->state == expected->state : actual.error().code == expected.error().code),
        "another answer to the operator than the reference's");
    if (actual) {
        expect(m_result == nullptr, "an operator changed a result");
        m_holder.reset();
        m_result = toAnswer(m_store->response(m_identity));
    }
}

void Stage::expect(bool holds, const char *broken)
{
    if (!holds && !testing::Test::HasFailure()) {
        ADD_FAILURE() << broken;
    }
}

std::string Stage::orderText() const
{
    std::ostringstream out;
    std::vector<std::size_t> taken(m_scripts.size());
    for (const std::size_t actor : m_order) {
        out << "\n  actor " << actor << ": " << toText(m_scripts[actor][taken[actor]++]);
    }
    return out.str();
}

} // namespace idem::test
