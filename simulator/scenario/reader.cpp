// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

/// A place in a document that obeys the schema; may be one where nothing is. Reading leaves the target as it is where
/// the document is silent, so that the defaults of the structs are the format's.
class Node
{
public:
    Node(const json::Value *value, QStringList path)
        : m_value(value)
        , m_path(std::move(path))
    {
    }

    [[nodiscard]] bool exists() const { return m_value != nullptr; }
    [[nodiscard]] const QStringList &path() const { return m_path; }

    Node operator[](const QString &name) const
    {
        const json::Member *member = m_value ? m_value->member(name) : nullptr;
        return {member ? &member->value : nullptr, m_path + QStringList(name)};
    }
    [[nodiscard]] std::vector<Node> items() const
    {
        std::vector<Node> nodes;
        if (const auto *array = m_value ? m_value->as<json::Array>() : nullptr) {
            for (const json::Value &item : *array) {
                nodes.emplace_back(&item, m_path + QStringList(QString::number(nodes.size())));
            }
        }
        return nodes;
    }

    [[nodiscard]] double number() const
    {
        const auto *number = m_value ? m_value->as<json::Number>() : nullptr;
        return number ? number->toDouble() : 0;
    }
    void read(double &target) const
    {
        if (exists()) {
            target = number();
        }
    }
    void read(bool &target) const
    {
        if (exists()) {
            target = *m_value->as<bool>();
        }
    }
    void read(QString &target) const
    {
        if (exists()) {
            target = *m_value->as<QString>();
        }
    }
    /// From milliseconds, to the nearest microsecond.
    void read(Duration &target) const
    {
        if (exists()) {
            target = Duration(std::llround(number() * 1000));
        }
    }
    /// null: nothing.
    void read(std::optional<Duration> &target) const
    {
        if (exists()) {
            target.reset();
            if (m_value->as<json::Number>()) {
                read(target.emplace());
            }
        }
    }
    template <std::unsigned_integral T> void readCount(T &target) const
    {
        if (exists()) {
            target = static_cast<T>(number());
        }
    }
    template <typename T> void readName(T &target, std::initializer_list<std::pair<QLatin1StringView, T>> names) const
    {
        if (!exists()) {
            return;
        }
        for (const auto &[name, value] : names) {
            if (*m_value->as<QString>() == name) {
                target = value;
                return;
            }
        }
        Q_UNREACHABLE(); // the schema lists the same names
    }

private:
    const json::Value *m_value;
    QStringList m_path;
};

class Reader
{
public:
    explicit Reader(const Document &document)
        : m_document(document)
    {
    }

    tl::expected<Scenario, ScenarioError> read()
    {
        const Node root(&m_document.root(), {});
        readHead(root);
        readStore(root[u"store"_s]);
        readClients(root[u"clients"_s]);
        readDistribution(root[u"network"_s][u"request"_s], m_scenario.network.request);
        readDistribution(root[u"network"_s][u"response"_s], m_scenario.network.response);
        root[u"server"_s][u"workers"_s].readCount(m_scenario.server.workers);
        readDistribution(root[u"server"_s][u"service"_s], m_scenario.server.service);
        readFaults(root[u"faults"_s]);
        readOperator(root[u"operator"_s]);
        readExpected(root[u"expected"_s]);
        if (m_error) {
            return tl::unexpected(*m_error);
        }
        return std::move(m_scenario);
    }

private:
    void readHead(const Node &root);
    void readStore(const Node &node);
    void readClients(const Node &node);
    void readDistribution(const Node &node, Distribution &target);
    void readFaults(const Node &node);
    void readOperator(const Node &node);
    void readExpected(const Node &node);

    /// Keeps the error that stands first in the text.
    void fail(const Node &node, const QString &problem)
    {
        const json::Position at = m_document.positionOf(node.path());
        if (!m_error || at < m_errorAt) {
            m_error = m_document.error(node.path(), at, problem);
            m_errorAt = at;
        }
    }

    const Document &m_document;
    Scenario m_scenario {};
    std::optional<ScenarioError> m_error {};
    json::Position m_errorAt {};
};

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
    node[u"enabled"_s].read(store.enabled);
    QString semantics = policy.semantics.name;
    node[u"semantics"_s].read(semantics);
    policy.semantics = Semantics::fromName(semantics).value_or(Semantics {});
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
    const Node arrival = node[u"arrival"_s];
    arrival[u"kind"_s].readName(
        clients.arrival.kind, {{"constant"_L1, Arrival::Kind::Constant}, {"poisson"_L1, Arrival::Kind::Poisson}});
    arrival[u"interval_ms"_s].read(clients.arrival.interval);
    node[u"timeout_ms"_s].read(clients.timeout);
    const Node retry = node[u"retry"_s];
    retry[u"policy"_s].readName(clients.retry.kind,
        {{"none"_L1, RetryPolicy::Kind::None}, {"fixed"_L1, RetryPolicy::Kind::Fixed},
            {"exponential"_L1, RetryPolicy::Kind::Exponential}, {"full-jitter"_L1, RetryPolicy::Kind::FullJitter}});
    retry[u"base_ms"_s].read(clients.retry.base);
    retry[u"cap_ms"_s].read(clients.retry.cap);
    retry[u"max_attempts"_s].readCount(clients.retry.maxAttempts);
    const bool isCapped =
        clients.retry.kind == RetryPolicy::Kind::Exponential || clients.retry.kind == RetryPolicy::Kind::FullJitter;
    if (isCapped && clients.retry.cap < clients.retry.base) {
        fail(retry[u"cap_ms"_s], u"must be at least base_ms"_s);
    }
    node[u"key"_s].readName(clients.keyPerAttempt, {{"operation"_L1, false}, {"attempt"_L1, true}});
}

void Reader::readDistribution(const Node &node, Distribution &target)
{
    if (!node.exists()) {
        return;
    }
    target = {};
    node[u"kind"_s].readName(target.kind,
        {{"constant"_L1, Distribution::Kind::Constant}, {"uniform"_L1, Distribution::Kind::Uniform},
            {"exponential"_L1, Distribution::Kind::Exponential}});
    using Owner = std::pair<QString, Distribution::Kind>;
    static const std::array owners {Owner {u"ms"_s, Distribution::Kind::Constant},
        Owner {u"min_ms"_s, Distribution::Kind::Uniform}, Owner {u"max_ms"_s, Distribution::Kind::Uniform},
        Owner {u"mean_ms"_s, Distribution::Kind::Exponential}};
    for (const auto &[name, kind] : owners) {
        if (kind != target.kind && node[name].exists()) {
            fail(node[name], u"belongs to another kind of distribution"_s);
        }
    }
    node[u"ms"_s].read(target.first);
    node[u"mean_ms"_s].read(target.first);
    node[u"min_ms"_s].read(target.first);
    node[u"max_ms"_s].read(target.second);
    if (target.kind == Distribution::Kind::Uniform && target.second < target.first) {
        fail(node[u"max_ms"_s], u"must be at least min_ms"_s);
    }
}

void Reader::readFaults(const Node &node)
{
    for (const Node &item : node.items()) {
        Fault &fault = m_scenario.faults.emplace_back();
        item[u"kind"_s].readName(fault.kind,
            {{"request-lost"_L1, Fault::Kind::RequestLost}, {"response-lost"_L1, Fault::Kind::ResponseLost},
                {"crash-after-begin"_L1, Fault::Kind::CrashAfterBegin},
                {"crash-after-effect"_L1, Fault::Kind::CrashAfterEffect}});
        item[u"probability"_s].read(fault.probability);
        item[u"every_ms"_s].read(fault.every);
        if (item[u"every_ms"_s].exists() && item[u"probability"_s].exists()) {
            fail(item[u"every_ms"_s], u"must not stand beside probability"_s);
        }
        item[u"first_attempts"_s].readCount(fault.firstAttempts);
        item[u"from_ms"_s].read(fault.from);
        item[u"until_ms"_s].read(fault.until);
        if (fault.until && *fault.until <= fault.from) {
            fail(item[u"until_ms"_s], u"must be after from_ms"_s);
        }
    }
}

void Reader::readOperator(const Node &node)
{
    for (const Node &item : node.items()) {
        OperatorAction &action = m_scenario.operatorActions.emplace_back();
        item[u"at_ms"_s].read(action.at);
        item[u"keys"_s].readName(action.select,
            {{"in-progress"_L1, OperatorAction::Select::InProgress}, {"stuck"_L1, OperatorAction::Select::Stuck},
                {"completed"_L1, OperatorAction::Select::Completed}, {"all"_L1, OperatorAction::Select::All}});
        item[u"reason"_s].read(action.reason);
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
        if (!Counts {}.value(expected.name)) {
            fail(item[u"count"_s], u"is not the name of a count"_s);
        }
    }
}

} // namespace

tl::expected<Scenario, ScenarioError> readScenario(const Document &document)
{
    return Reader(document).read();
}

} // namespace idem::sim
