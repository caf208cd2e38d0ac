// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/load.h"

#include <QFile>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <sys/stat.h>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// Every member once; the lines are numbered by the tests below.
const QByteArray complete = R"({
  "idemscope_scenario": 1,
  "name": "all-of-it",
  "title": "All",
  "description": "Every member.",
  "seed": 9007199254740991,
  "duration_ms": 60000,
  "store": {
    "enabled": true,
    "semantics": "seed-rust",
    "lease_ms": 1500.5,
    "ttl_ms": 2000,
    "ttl_from": "sliding",
    "lapse": "takeover-always",
    "late": "strict",
    "final": "stripe-v1",
    "wait_ms": 45000,
    "stuck_after_ms": 7000,
    "sweep_interval_ms": 250
  },
  "clients": {
    "count": 12,
    "operations": 2000000000,
    "arrival": { "kind": "poisson", "interval_ms": 0.0015 },
    "timeout_ms": 300,
    "retry": { "policy": "full-jitter", "base_ms": 10, "cap_ms": 20, "max_attempts": 7 },
    "key": "attempt"
  },
  "network": {
    "request": { "kind": "uniform", "min_ms": 1, "max_ms": 2 },
    "response": { "kind": "exponential", "mean_ms": 3 }
  },
  "server": { "workers": 4, "service": { "kind": "constant", "ms": 5 } },
  "faults": [
    { "kind": "request-lost", "probability": 0.25, "first_attempts": 2, "from_ms": 1, "until_ms": 2 },
    { "kind": "crash-after-effect", "every_ms": 100 },
    { "kind": "crash-after-begin" },
    { "kind": "response-lost", "probability": 0 }
  ],
  "operator": [ { "action": "abandon", "at_ms": 5, "keys": "completed", "reason": "why not" } ],
  "expected": [ { "count": "replays", "value": 10, "tolerance": 2.5, "source": "thin air" } ]
}
)";

TEST(Load, ReadsEveryMember)
{
    const auto loaded = parseScenario(complete);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().toString().toStdString();
    const Scenario &s = *loaded;
    EXPECT_EQ(s.name, u"all-of-it"_s);
    EXPECT_EQ(s.title, u"All"_s);
    EXPECT_EQ(s.description, u"Every member."_s);
    EXPECT_EQ(s.seed, Seed {9007199254740991});
    EXPECT_EQ(s.duration, Duration(1min));
    const Policy &policy = s.store.policy;
    EXPECT_TRUE(s.store.enabled);
    EXPECT_EQ(policy.semantics.name, u"seed-rust"_s);
    EXPECT_FALSE(policy.semantics.fenced);
    EXPECT_EQ(policy.lease, Duration(1'500'500us));
    EXPECT_EQ(policy.ttl, Duration(2s));
    EXPECT_EQ(policy.ttlFrom, ExpiryOrigin::Sliding);
    EXPECT_EQ(policy.lapse, LapsePolicy::TakeoverAlways);
    EXPECT_EQ(policy.late, LatePolicy::Strict);
    EXPECT_EQ(policy.finalAnswers, FinalPreset::StripeV1);
    EXPECT_EQ(s.store.wait, Duration(45s));
    EXPECT_GE(policy.maxWait, s.store.wait);
    EXPECT_EQ(policy.stuckAfter, Duration(7s));
    EXPECT_EQ(policy.sweepInterval, Duration(250ms));
    EXPECT_EQ(s.clients.count, 12U);
    EXPECT_EQ(s.clients.operations, 2'000'000'000U);
    EXPECT_EQ(s.clients.arrival.kind, Arrival::Kind::Poisson);
    EXPECT_EQ(s.clients.arrival.interval, Duration(2us)); // 1.5 us, rounded
    EXPECT_EQ(s.clients.timeout, Duration(300ms));
    EXPECT_EQ(s.clients.retry.algorithm, RetryAlgorithm::FullJitter);
    EXPECT_EQ(s.clients.retry.base, Duration(10ms));
    EXPECT_EQ(s.clients.retry.cap, Duration(20ms));
    EXPECT_EQ(s.clients.retry.maxAttempts, 7U);
    EXPECT_EQ(s.clients.key.kind, KeyStrategy::Kind::PerAttempt);
    EXPECT_EQ(s.network.request.kind, Distribution::Kind::Uniform);
    EXPECT_EQ(s.network.request.first, Duration(1ms));
    EXPECT_EQ(s.network.request.second, Duration(2ms));
    EXPECT_EQ(s.network.response.kind, Distribution::Kind::Exponential);
    EXPECT_EQ(s.network.response.first, Duration(3ms));
    EXPECT_EQ(s.server.workers, 4U);
    EXPECT_EQ(s.server.service.kind, Distribution::Kind::Constant);
    EXPECT_EQ(s.server.service.first, Duration(5ms));
    ASSERT_EQ(s.faults.size(), 4U);
    EXPECT_EQ(s.faults[0].kind, Fault::Kind::RequestLost);
    EXPECT_EQ(s.faults[0].probability, 0.25);
    EXPECT_EQ(s.faults[0].firstAttempts, 2U);
    EXPECT_EQ(s.faults[0].from, Duration(1ms));
    EXPECT_EQ(s.faults[0].until, Duration(2ms));
    EXPECT_EQ(s.faults[1].kind, Fault::Kind::CrashAfterEffect);
    EXPECT_EQ(s.faults[1].every, Duration(100ms));
    EXPECT_EQ(s.faults[2].kind, Fault::Kind::CrashAfterBegin);
    EXPECT_EQ(s.faults[2].probability, 1);
    EXPECT_EQ(s.faults[3].kind, Fault::Kind::ResponseLost);
    EXPECT_EQ(s.faults[3].probability, 0);
    ASSERT_EQ(s.operatorActions.size(), 1U);
    EXPECT_EQ(s.operatorActions[0].at, Duration(5ms));
    EXPECT_EQ(s.operatorActions[0].select, Filter::inStates({State::Completed}));
    EXPECT_EQ(s.operatorActions[0].reason, u"why not"_s);
    ASSERT_EQ(s.expected.size(), 1U);
    EXPECT_EQ(s.expected[0].name, u"replays"_s);
    EXPECT_EQ(s.expected[0].value, 10);
    EXPECT_EQ(s.expected[0].tolerance, 2.5);
    EXPECT_EQ(s.expected[0].source, u"thin air"_s);
}

TEST(Load, LeavesTheDefaultsWhereTheFileIsSilent)
{
    const auto loaded = parseScenario(R"({"idemscope_scenario": 1, "name": "a", "title": "A",
        "clients": {"operations": 1, "arrival": {"kind": "constant", "interval_ms": 0}}})");
    ASSERT_TRUE(loaded.has_value()) << loaded.error().toString().toStdString();
    const Scenario defaults;
    EXPECT_EQ(loaded->seed, defaults.seed);
    EXPECT_EQ(loaded->duration, std::nullopt);
    EXPECT_EQ(loaded->store.policy.lease, defaults.store.policy.lease);
    EXPECT_EQ(loaded->store.policy.semantics.name, u"idemscope"_s);
    EXPECT_EQ(loaded->clients.timeout, defaults.clients.timeout);
    EXPECT_EQ(loaded->network.request.first, defaults.network.request.first);
    EXPECT_EQ(loaded->server.service.first, defaults.server.service.first);
    EXPECT_TRUE(loaded->faults.empty());
}

/// A complete scenario with one text replaced by another.
struct Broken
{
    const char *what;
    QByteArray from;
    QByteArray to;
    int line;
    int column;
    const char *member;
    const char *problem;
};

class Refused : public testing::TestWithParam<Broken>
{
};

TEST_P(Refused, NamesLineMemberAndProblem)
{
    const Broken &broken = GetParam();
    QByteArray text = complete;
    ASSERT_EQ(text.count(broken.from), 1) << "the test itself is wrong";
    text.replace(broken.from, broken.to);
    const auto loaded = parseScenario(text, {}, u"my.json"_s);
    ASSERT_FALSE(loaded.has_value());
    const ScenarioError &error = loaded.error();
    EXPECT_EQ(error.file, u"my.json"_s);
    EXPECT_EQ(error.line, broken.line);
    EXPECT_EQ(error.column, broken.column);
    EXPECT_EQ(error.member.toStdString(), broken.member);
    EXPECT_EQ(error.problem.toStdString(), broken.problem);
}

const Broken brokenOnes[] = {
    {"TrailingComma", R"("thin air" } ])", R"("thin air" }, ])", 41, 92, "", "a comma must not stand before ']'"},
    {"DuplicateMember", R"("title": "All",)", R"("title": "All", "title": "All",)", 4, 19, "",
        "the member \"title\" is there twice"},
    {"BadUtf8", "Every member.", "Every m\xff.", 5, 26, "", "the text is not UTF-8"},
    {"UnknownMember", R"("seed":)", R"("sead":)", 6, 3, "sead",
        "is not a member of a scenario; did you mean \"seed\"?"},
    {"UnknownMemberInside", R"("cap_ms": 20)", R"("limit": 20)", 26, 56, "clients.retry.limit",
        "is not a member of a scenario"},
    {"UnknownMemberInList", R"("every_ms": 100)", R"("every": 100)", 36, 37, "faults.1.every",
        "is not a member of a scenario; did you mean \"every_ms\"?"},
    {"WrongTypeText", R"("title": "All")", R"("title": 5)", 4, 12, "title", "must be a text"},
    {"WrongTypeNumber", R"("timeout_ms": 300)", R"("timeout_ms": "300")", 25, 19, "clients.timeout_ms",
        "must be a number"},
    {"WrongTypeBoolean", R"("enabled": true)", R"("enabled": "true")", 9, 16, "store.enabled", "must be true or false"},
    {"WrongTypeObject", R"("service": { "kind": "constant", "ms": 5 })", R"("service": 5)", 33, 40, "server.service",
        "must be an object"},
    {"WrongTypeList", R"([ { "action": "abandon", "at_ms": 5, "keys": "completed", "reason": "why not" } ])", "{}", 40,
        15, "operator", "must be a list"},
    {"WrongTypeLease", "1500.5", R"("none")", 11, 17, "store.lease_ms", "must be a number or null"},
    {"NullWhereNoneIsAllowed", R"("ttl_ms": 2000)", R"("ttl_ms": null)", 12, 15, "store.ttl_ms", "must be a number"},
    {"NegativeRate", R"("interval_ms": 0.0015)", R"("interval_ms": -3)", 24, 52, "clients.arrival.interval_ms",
        "must be at least 0"},
    {"NegativeBase", R"("base_ms": 10)", R"("base_ms": -1)", 26, 52, "clients.retry.base_ms", "must be at least 0"},
    {"ZeroLease", "1500.5", "0", 11, 17, "store.lease_ms", "must be at least 0.001"},
    {"MoreThanAYear", R"("ttl_ms": 2000)", R"("ttl_ms": 31536000001)", 12, 15, "store.ttl_ms",
        "must be at most 31536000000"},
    {"ProbabilityAboveOne", "0.25", "1.25", 35, 46, "faults.0.probability", "must be at most 1"},
    {"FractionalCount", R"("count": 12)", R"("count": 1.5)", 22, 14, "clients.count", "must be a whole number"},
    {"TooMany", "2000000000", "5000000000", 23, 19, "clients.operations", "must be at most 2000000000"},
    {"NoClient", R"("count": 12)", R"("count": 0)", 22, 14, "clients.count", "must be at least 1"},
    {"FractionalSeed", "9007199254740991", "1.5", 6, 11, "seed", "must be a whole number"},
    {"NegativeSeed", "9007199254740991", "-1", 6, 11, "seed", "must be at least 0"},
    {"HugeNumber", "9007199254740991", "1e999", 6, 11, "", "the number is out of range"},
    {"OtherVersion", R"("idemscope_scenario": 1)", R"("idemscope_scenario": 2)", 2, 25, "idemscope_scenario",
        "must be 1"},
    {"NotOneOf", R"("late": "strict")", R"("late": "strickt")", 15, 13, "store.late",
        "must be \"accept\" or \"strict\"; did you mean \"strict\"?"},
    {"WrongTypeOfEnum", R"("late": "strict")", R"("late": 5)", 15, 13, "store.late",
        "must be \"accept\" or \"strict\""},
    {"UnknownCount", R"("count": "replays")", R"("count": "replies")", 41, 28, "expected.0.count",
        "is not one of the 61 known names; did you mean \"retries\"?"},
    {"MissingTitle", R"(  "title": "All",)", "", 1, 1, "title", "is missing"},
    {"MissingPolicy", R"("policy": "full-jitter", )", "", 26, 14, "clients.retry.policy", "is missing"},
    {"MissingOfItsKind", R"("min_ms": 1, )", "", 30, 16, "network.request.min_ms", "is missing"},
    {"MissingKind", R"("kind": "constant", )", "", 33, 40, "server.service.kind", "is missing"},
    {"OtherKindsMember", R"("mean_ms": 3)", R"("mean_ms": 3, "ms": 3)", 31, 62, "network.response.ms",
        "belongs to another kind of distribution"},
    {"EmptyTitle", R"("title": "All")", R"("title": "")", 4, 12, "title", "must not be empty"},
    {"BadName", "all-of-it", "All of it", 3, 11, "name", "must be made of lower-case letters, digits and hyphens"},
    {"UniformBackwards", R"("max_ms": 2)", R"("max_ms": 0.5)", 30, 60, "network.request.max_ms",
        "must be at least min_ms"},
    {"CapBelowBase", R"("cap_ms": 20)", R"("cap_ms": 9)", 26, 66, "clients.retry.cap_ms", "must be at least base_ms"},
    {"WindowBackwards", R"("until_ms": 2)", R"("until_ms": 1)", 35, 99, "faults.0.until_ms", "must be after from_ms"},
    {"ProbabilityAndEvery", R"("every_ms": 100)", R"("every_ms": 100, "probability": 1)", 36, 49, "faults.1.every_ms",
        "must not stand beside probability"},
};

INSTANTIATE_TEST_SUITE_P(
    Load, Refused, testing::ValuesIn(brokenOnes), [](const auto &test) { return test.param.what; });

TEST(Load, TheFirstOfSeveralProblemsIsNamed)
{
    QByteArray text = complete;
    text.replace("\"late\": \"strict\"", "\"late\": \"never\"");
    text.replace("\"count\": 12", "\"count\": -1, \"cout\": 2");
    const auto loaded = parseScenario(text);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().toString(), u"line 15, column 13: store.late: must be \"accept\" or \"strict\"."_s);
}

TEST(Load, OddTextsAreRefusedWithoutHarm)
{
    EXPECT_FALSE(parseScenario("[]").has_value());
    EXPECT_FALSE(parseScenario("null").has_value());
    EXPECT_FALSE(parseScenario("{}").has_value());
    EXPECT_FALSE(parseScenario(QByteArray(maxScenarioBytes, '[')).has_value());
    EXPECT_FALSE(parseScenario("[" + QByteArray("0,").repeated(90'000) + "0]").has_value());
    // A name of megabytes must not end in a recursion for each of its characters, nor in a message of megabytes.
    const QByteArray longName = QByteArray("{\"name\": \"") + QByteArray(3'000'000, 'a') + "\"}";
    const auto loaded = parseScenario(longName);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_LT(loaded.error().toString().size(), 300);
    const auto unknown = parseScenario(QByteArray("{\"") + QByteArray(3'000'000, 'b') + "\": 1}");
    ASSERT_FALSE(unknown.has_value());
    EXPECT_LT(unknown.error().toString().size(), 300);
    const QByteArray twice = QByteArray("\"") + QByteArray(1'000'000, 'b') + "\": 1";
    const auto duplicate = parseScenario("{" + twice + "," + twice + "}");
    ASSERT_FALSE(duplicate.has_value());
    EXPECT_LT(duplicate.error().toString().size(), 300);
}

class LoadFile : public testing::Test
{
protected:
    QString path(const QString &name) const { return m_folder.filePath(name); }
    QString write(const QString &name, const QByteArray &text) const
    {
        QFile file(path(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
        return path(name);
    }
    static QString problem(const QString &path)
    {
        const auto loaded = loadScenario(path);
        return loaded ? u"loaded"_s : loaded.error().problem;
    }

    QTemporaryDir m_folder;
};

TEST_F(LoadFile, ReadsAFile)
{
    const auto loaded = loadScenario(write(u"a.json"_s, complete), {u"seed=7"_s});
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ(loaded->seed, Seed {7});
}

TEST_F(LoadFile, NamesTheFileInItsError)
{
    const QString file = write(u"a.json"_s, "{\n  1\n}");
    EXPECT_EQ(loadScenario(file).error().toString(),
        file + u", line 2, column 3: a member's name in double quotes should stand here, not '1'."_s);
}

TEST_F(LoadFile, RefusesWhatIsNoSmallRegularFile)
{
    EXPECT_EQ(problem(path(u"none.json"_s)), u"there is no such file"_s);
    EXPECT_EQ(problem(m_folder.path()), u"is a folder, not a file"_s);
    EXPECT_EQ(problem(write(u"empty.json"_s, {})), u"is empty"_s);
    EXPECT_EQ(problem(u"/dev/zero"_s), u"is not a regular file"_s);

    // Opening a FIFO that nobody writes to would wait for ever.
    const QString fifo = path(u"fifo.json"_s);
    ASSERT_EQ(mkfifo(QFile::encodeName(fifo).constData(), 0600), 0);
    EXPECT_EQ(problem(fifo), u"is not a regular file"_s);

    // 2 GiB that take no room on the disk, but would in memory.
    QFile sparse(path(u"sparse.json"_s));
    ASSERT_TRUE(sparse.open(QIODevice::WriteOnly));
    ASSERT_TRUE(sparse.resize(2LL * 1024 * 1024 * 1024));
    sparse.close();
    EXPECT_EQ(problem(sparse.fileName()), u"is larger than 4 MiB"_s);

    EXPECT_EQ(problem(write(u"exact.json"_s, QByteArray(maxScenarioBytes, ' '))), u"the document is empty"_s);
    EXPECT_EQ(problem(write(u"over.json"_s, QByteArray(maxScenarioBytes + 1, ' '))), u"is larger than 4 MiB"_s);
}

} // namespace
} // namespace idem::sim
