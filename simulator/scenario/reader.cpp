// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/reader_private.h"

#include "simulator/model/semantics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace idem::sim {

using namespace Qt::StringLiterals;

tl::expected<Scenario, ScenarioError> Reader::read()
{
    const Node root(&m_document.root(), {});
    readHead(root);
    readStore(root[u"store"_s]);
    readClients(root[u"clients"_s]);
    readDistribution(root[u"network"_s][u"request"_s], m_scenario.network.request);
    readDistribution(root[u"network"_s][u"response"_s], m_scenario.network.response);
    readServer(root[u"server"_s]);
    readFaults(root[u"faults"_s]);
    readOperator(root[u"operator"_s]);
    readExpected(root[u"expected"_s]);
    if (m_error) {
        return tl::unexpected(*m_error);
    }
    return std::move(m_scenario);
}

void Reader::readHead(const Node &root)
{
    root[u"name"_s].read(m_scenario.name);
    // A name becomes part of file names, so it is checked here: std::regex recurses once for each character.
    constexpr QStringView plain = u"abcdefghijklmnopqrstuvwxyz0123456789-";
    const bool isPlain =
        std::all_of(m_scenario.name.begin(), m_scenario.name.end(), [plain](QChar c) { return plain.contains(c); });
    if (!isPlain || m_scenario.name.isEmpty()) {
        fail(root[u"name"_s], u"must be made of lower-case letters, digits and hyphens"_s);
    }
    root[u"title"_s].read(m_scenario.title);
    root[u"description"_s].read(m_scenario.description);
    root[u"duration_ms"_s].read(m_scenario.duration);
    root[u"heal_ms"_s].read(m_scenario.heal);
    for (const Node &item : root[u"reaches"_s].items()) {
        item.read(m_scenario.reaches.emplace_back());
    }
    const Node lesson = root[u"lesson"_s];
    lesson[u"predict"_s].read(m_scenario.lesson.predict);
    lesson[u"count"_s].read(m_scenario.lesson.predictCount);
    lesson[u"happens"_s].read(m_scenario.lesson.happens);
    lesson[u"why"_s].read(m_scenario.lesson.why);
    if (lesson.exists() && !isMeasurable(m_scenario.lesson.predictCount)) {
        fail(lesson[u"count"_s], u"is not the name of a count or a measure"_s);
    }
    if (const Node seed = root[u"seed"_s]; seed.exists()) {
        if (seed.number() != std::floor(seed.number())) {
            fail(seed, u"must be a whole number"_s);
        } else {
            m_scenario.seed = Seed {static_cast<std::uint64_t>(seed.number())};
        }
    }
}

void Reader::readStore(const Node &node)
{
    StoreSetup &store = m_scenario.store;
    Policy &policy = store.policy;
    QString semantics = policy.semantics.name;
    node[u"semantics"_s].read(semantics);
    applySemantics(semantics, store); // first: what stands beside it replaces its settings
    node[u"enabled"_s].read(store.enabled);
    node[u"fingerprint"_s].read(policy.semantics.fingerprinted);
    node[u"lease_ms"_s].read(policy.lease);
    node[u"ttl_ms"_s].read(policy.ttl);
    node[u"ttl_from"_s].readName(policy.ttlFrom,
        {{"completion"_L1, ExpiryOrigin::Completion}, {"begin"_L1, ExpiryOrigin::Begin},
            {"sliding"_L1, ExpiryOrigin::Sliding}});
    node[u"lapse"_s].readName(policy.lapse,
        {{"takeover"_L1, LapsePolicy::Takeover}, {"hold"_L1, LapsePolicy::Hold},
            {"takeover-always"_L1, LapsePolicy::TakeoverAlways}});
    node[u"late"_s].readName(policy.late, {{"accept"_L1, LatePolicy::Accept}, {"strict"_L1, LatePolicy::Strict}});
    QString finalAnswers = toString(policy.finalAnswers);
    node[u"final"_s].read(finalAnswers);
    policy.finalAnswers = finalPresetFromString(finalAnswers).value_or(policy.finalAnswers);
    node[u"max_records"_s].readCount(policy.maxRecords);
    node[u"at_capacity"_s].readName(
        policy.atCapacity, {{"refuse"_L1, AtCapacity::Refuse}, {"evict-oldest"_L1, AtCapacity::EvictOldest}});
    node[u"on_outage"_s].readName(store.failOpen, {{"fail-closed"_L1, false}, {"fail-open"_L1, true}});
    node[u"wait_ms"_s].read(store.wait);
    policy.maxWait = std::max(policy.maxWait, store.wait);
    node[u"stuck_after_ms"_s].read(policy.stuckAfter);
    node[u"sweep_interval_ms"_s].read(policy.sweepInterval);
    if (const QStringList problems = policy.problems(); !problems.isEmpty()) {
        fail(node, problems.first());
    }
}

void Reader::readClients(const Node &node)
{
    Clients &clients = m_scenario.clients;
    node[u"count"_s].readCount(clients.count);
    node[u"operations"_s].readCount(clients.operations);
    if (node[u"arrival"_s].exists() == node[u"think"_s].exists()) {
        fail(node, u"needs either arrival (an open loop) or think (a closed one)"_s);
    }
    readArrival(node[u"arrival"_s]);
    if (node[u"think"_s].exists()) {
        readDistribution(node[u"think"_s], clients.think.emplace());
    }
    node[u"timeout_ms"_s].read(clients.timeout);
    readRetry(node[u"retry"_s]);
    readBudget(node[u"budget"_s]);
    node[u"hedging"_s][u"delay_ms"_s].read(clients.hedging.delay);
    node[u"hedging"_s][u"requests"_s].readCount(clients.hedging.requests);
    node[u"key"_s].readName(clients.key.kind,
        {{"operation"_L1, KeyStrategy::Kind::PerOperation}, {"attempt"_L1, KeyStrategy::Kind::PerAttempt},
            {"random"_L1, KeyStrategy::Kind::Random}, {"reused"_L1, KeyStrategy::Kind::Reused}});
    node[u"key_bits"_s].readCount(clients.key.bits);
    node[u"key_every"_s].readCount(clients.key.every);
    node[u"tenants"_s].readCount(clients.tenants);
    node[u"tenant_scope"_s].read(clients.tenantScope);
}

void Reader::readServer(const Node &node)
{
    Server &server = m_scenario.server;
    node[u"instances"_s].readCount(server.instances);
    node[u"routing"_s].readName(server.routing,
        {{"round-robin"_L1, Server::Routing::RoundRobin}, {"random"_L1, Server::Routing::Random},
            {"by-client"_L1, Server::Routing::ByClient}});
    node[u"workers"_s].readCount(server.workers);
    node[u"order"_s].readName(server.order, {{"fifo"_L1, Server::Order::Fifo}, {"lifo"_L1, Server::Order::Lifo}});
    if (node[u"queue_cap"_s].exists()) {
        node[u"queue_cap"_s].readCount(server.queueCap.emplace());
        if (server.workers == 0) {
            fail(node[u"queue_cap"_s], u"means nothing where workers are unlimited"_s);
        }
    }
    node[u"kappa"_s].read(server.kappa);
    node[u"guard"_s].readName(
        server.guard, {{"worker"_L1, Server::Guard::Worker}, {"admission"_L1, Server::Guard::Admission}});
    node[u"retry_after_ms"_s].read(server.retryAfter);
    readDistribution(node[u"service"_s], server.service);
}

void Reader::readFaults(const Node &node)
{
    using Kind = Fault::Kind;
    for (const Node &item : node.items()) {
        Fault &fault = m_scenario.faults.emplace_back();
        item[u"kind"_s].readName(fault.kind,
            {{"request-lost"_L1, Kind::RequestLost}, {"response-lost"_L1, Kind::ResponseLost},
                {"request-delay"_L1, Kind::RequestDelay}, {"response-delay"_L1, Kind::ResponseDelay},
                {"duplicate"_L1, Kind::Duplicate}, {"crash-after-begin"_L1, Kind::CrashAfterBegin},
                {"crash-after-effect"_L1, Kind::CrashAfterEffect},
                {"crash-after-complete"_L1, Kind::CrashAfterComplete}, {"handler-error"_L1, Kind::HandlerError},
                {"handler-throws"_L1, Kind::HandlerThrows}, {"slow-handler"_L1, Kind::SlowHandler},
                {"stall"_L1, Kind::Stall}, {"server-down"_L1, Kind::ServerDown},
                {"server-restart"_L1, Kind::ServerRestart}, {"store-outage"_L1, Kind::StoreOutage},
                {"store-restart"_L1, Kind::StoreRestart}, {"store-split"_L1, Kind::StoreSplit},
                {"partition"_L1, Kind::Partition}, {"clock-skew"_L1, Kind::ClockSkew},
                {"non-atomic-begin"_L1, Kind::NonAtomicBegin}, {"client-crash"_L1, Kind::ClientCrash}});
        readChance(item, fault);
        readDistribution(item[u"delay"_s], fault.delay);
        item[u"factor"_s].read(fault.factor);
        item[u"status"_s].readCount(fault.status);
        item[u"offset_ms"_s].read(fault.offset);
        item[u"volatile"_s].read(fault.isVolatile);
        item[u"key_lost"_s].read(fault.keyLost);
        checkFault(item, fault);
    }
}

/// When and where it strikes.
void Reader::readChance(const Node &item, Fault &fault)
{
    item[u"probability"_s].read(fault.probability);
    item[u"every_ms"_s].read(fault.every);
    if (item[u"every_ms"_s].exists() && item[u"probability"_s].exists()) {
        fail(item[u"every_ms"_s], u"must not stand beside probability"_s);
    }
    item[u"every_operation"_s].readCount(fault.everyOperation);
    item[u"first_attempts"_s].readCount(fault.firstAttempts);
    item[u"first_chances"_s].readCount(fault.firstChances);
    item[u"from_ms"_s].read(fault.from);
    item[u"until_ms"_s].read(fault.until);
    if (fault.until && *fault.until <= fault.from) {
        fail(item[u"until_ms"_s], u"must be after from_ms"_s);
    }
    if (item[u"instance"_s].exists()) {
        item[u"instance"_s].readCount(fault.instance.emplace());
        if (*fault.instance >= m_scenario.server.instances) {
            fail(item[u"instance"_s], u"is none of the server's %1 instances"_s.arg(m_scenario.server.instances));
        }
    }
    if (item[u"client"_s].exists()) {
        item[u"client"_s].readCount(fault.client.emplace());
        if (*fault.client >= m_scenario.clients.count) {
            fail(item[u"client"_s], u"is none of the %1 clients"_s.arg(m_scenario.clients.count));
        }
    }
}

/// What does not fit the kind of a fault would be read and then ignored: that is refused.
void Reader::checkFault(const Node &item, const Fault &fault)
{
    using Kind = Fault::Kind;
    using Kinds = std::initializer_list<Kind>;
    const auto belongsTo = [&](const QString &member, Kinds kinds) {
        if (item[member].exists() && std::find(kinds.begin(), kinds.end(), fault.kind) == kinds.end()) {
            fail(item[member], u"does not belong to this kind of fault"_s);
        }
    };
    belongsTo(u"delay"_s,
        {Kind::RequestDelay, Kind::ResponseDelay, Kind::Duplicate, Kind::NonAtomicBegin, Kind::ClientCrash});
    belongsTo(u"factor"_s, {Kind::SlowHandler});
    belongsTo(u"status"_s, {Kind::HandlerError});
    belongsTo(u"offset_ms"_s, {Kind::ClockSkew});
    belongsTo(u"volatile"_s, {Kind::StoreRestart});
    belongsTo(u"key_lost"_s, {Kind::ClientCrash});
    static constexpr std::array windows {Kind::Stall, Kind::ClockSkew, Kind::ServerRestart, Kind::StoreRestart};
    if (std::find(windows.begin(), windows.end(), fault.kind) == windows.end()) {
        return;
    }
    for (const QString &member :
        {u"probability"_s, u"every_ms"_s, u"every_operation"_s, u"first_attempts"_s, u"first_chances"_s, u"client"_s}) {
        if (item[member].exists()) {
            fail(item[member], u"does not belong to this kind of fault, which has a window"_s);
        }
    }
    if (fault.kind != Kind::ClockSkew && !fault.until) {
        fail(item[u"until_ms"_s], u"is missing: this kind of fault has a window"_s);
    }
    if (fault.kind == Kind::StoreRestart && item[u"instance"_s].exists()) {
        fail(item[u"instance"_s], u"does not belong to this kind of fault: all instances share one store"_s);
    }
}

void Reader::readOperator(const Node &node)
{
    for (const Node &item : node.items()) {
        OperatorAction &action = m_scenario.operatorActions.emplace_back();
        item[u"action"_s].readName(action.verb,
            {{"abandon"_L1, OperatorAction::Verb::Abandon}, {"settle"_L1, OperatorAction::Verb::Settle},
                {"purge"_L1, OperatorAction::Verb::Purge}});
        item[u"at_ms"_s].read(action.at);
        item[u"every_ms"_s].read(action.every);
        readSelection(item, action.select);
        item[u"as"_s].readName(action.abandonAs,
            {{"release"_L1, AbandonAs::Release}, {"failed"_L1, AbandonAs::Failed}, {"unknown"_L1, AbandonAs::Unknown}});
        item[u"executed"_s].read(action.settleExecuted);
        item[u"override_live"_s].read(action.overrideLive);
        item[u"reason"_s].read(action.reason);
    }
}

void Reader::readSelection(const Node &item, Filter &select)
{
    if (item[u"keys"_s].exists() == item[u"filter"_s].exists()) {
        fail(item, u"needs either keys or filter"_s);
        return;
    }
    QString keys;
    item[u"keys"_s].read(keys);
    if (keys == "in-progress"_L1) {
        select = Filter::inStates({State::InProgress});
    } else if (keys == "completed"_L1) {
        select = Filter::inStates({State::Completed});
    } else if (keys == "all"_L1) {
        select = {};
    }
    QString text;
    item[u"filter"_s].read(text);
    if (!text.isEmpty()) {
        if (const auto filter = Filter::parse(text)) {
            select = *filter;
        } else {
            fail(item[u"filter"_s], filter.error().message);
        }
    }
}

void Reader::readExpected(const Node &node)
{
    for (const Node &item : node.items()) {
        Expected &expected = m_scenario.expected.emplace_back();
        item[u"count"_s].read(expected.name);
        item[u"value"_s].read(expected.value);
        item[u"tolerance"_s].read(expected.tolerance);
        item[u"source"_s].read(expected.source);
        item[u"from_ms"_s].read(expected.from);
        item[u"until_ms"_s].read(expected.until);
        if (!isMeasurable(expected.name)) {
            fail(item[u"count"_s], u"is not the name of a count or a measure"_s);
        }
        checkWindow(item, expected);
    }
}

void Reader::checkWindow(const Node &item, const Expected &expected)
{
    if (expected.from.has_value() != expected.until.has_value()) {
        fail(item[expected.from ? u"from_ms"_s : u"until_ms"_s], u"needs the other end of its window"_s);
    } else if (expected.from) {
        constexpr Duration second = std::chrono::seconds(1);
        if (*expected.until <= *expected.from) {
            fail(item[u"until_ms"_s], u"must be after from_ms"_s);
        } else if (*expected.from % second != Duration::zero() || *expected.until % second != Duration::zero()) {
            fail(item[u"from_ms"_s], u"must be, as until_ms, a whole number of seconds"_s);
        } else if (!Counts {}.value(expected.name)) {
            fail(item[u"from_ms"_s], u"stands beside a count only: a measure has no rate"_s);
        }
    }
}

tl::expected<Scenario, ScenarioError> readScenario(const Document &document)
{
    return Reader(document).read();
}

} // namespace idem::sim
