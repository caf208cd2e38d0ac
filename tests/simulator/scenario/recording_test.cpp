// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/recording.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;

Scenario impatient(const QStringList &overrides = {})
{
    const auto scenario = loadBuiltIn(u"preset-05-impatient-client"_s, overrides);
    EXPECT_TRUE(scenario.has_value());
    return scenario.value_or(Scenario {});
}

Recording recorded(const Scenario &scenario, Seed seed)
{
    sim::Run run(scenario, seed);
    run.toEnd();
    return {.version = u"1.2.3"_s, .seed = seed, .scenario = scenario, .outcome = outcomeOf(run)};
}

TEST(Recording, TheSourceIsTheDocumentAfterOverrides)
{
    const Scenario scenario = impatient({u"clients.operations=7"_s, u"server.kappa=0.10"_s, u"title=\"a \\\"b\\n\""_s});
    const QJsonObject json = QJsonDocument::fromJson(scenario.source).object();
    EXPECT_EQ(json[u"clients"_s][u"operations"_s], QJsonValue(7));
    EXPECT_EQ(json[u"title"_s], QJsonValue(u"a \"b\n"_s));
    EXPECT_TRUE(scenario.source.contains("\"kappa\":0.10")); // as it was written
    // Reading it again changes nothing.
    const auto again = parseScenario(scenario.source);
    ASSERT_TRUE(again.has_value()) << again.error().toString().toStdString();
    EXPECT_EQ(again->source, scenario.source);
    EXPECT_EQ(again->clients.operations, 7U);
}

TEST(Recording, ComesBackFromItsText)
{
    Recording recording = recorded(impatient({u"clients.operations=20"_s, u"expected=[]"_s}), Seed {maxSeed});
    recording.outcome.traceHash |= 1ULL << 63; // beyond what a double or a signed number holds
    const auto filter = Filter::parse(u"state:in_progress");
    ASSERT_TRUE(filter.has_value());
    using Verb = OperatorAction::Verb;
    recording.interventions = {{.after = 5,
                                   .action = {.verb = Verb::Abandon,
                                       .abandonAs = AbandonAs::Unknown,
                                       .select = *filter,
                                       .reason = u"\"quoted\""_s,
                                       .overrideLive = false}},
        {.after = 5, .action = {.verb = Verb::Settle, .settleExecuted = true, .select = {}}},
        {.after = 9, .action = {.verb = Verb::Purge}}};
    const auto read = parseRecording(toJsonLines(recording));
    ASSERT_TRUE(read.has_value()) << read.error().toString().toStdString();
    EXPECT_EQ(read->version, u"1.2.3"_s);
    EXPECT_EQ(read->seed, Seed {maxSeed});
    EXPECT_EQ(read->scenario.source, recording.scenario.source);
    EXPECT_TRUE(differences(recording.outcome, read->outcome).isEmpty());
    ASSERT_EQ(read->interventions.size(), 3U);
    EXPECT_EQ(read->interventions[0].after, 5U);
    EXPECT_EQ(read->interventions[0].action.abandonAs, AbandonAs::Unknown);
    EXPECT_EQ(read->interventions[0].action.select, *filter);
    EXPECT_EQ(read->interventions[0].action.reason, u"\"quoted\""_s);
    EXPECT_FALSE(read->interventions[0].action.overrideLive);
    EXPECT_EQ(read->interventions[1].action.verb, Verb::Settle);
    EXPECT_TRUE(read->interventions[1].action.settleExecuted);
    EXPECT_EQ(read->interventions[2].action.verb, Verb::Purge);
    EXPECT_EQ(read->interventions[2].action.select, Filter::stuck());
}

TEST(Recording, ReplaysToTheSameTrace)
{
    const Recording recording = recorded(impatient(), Seed {7});
    EXPECT_TRUE(differences(recording.outcome, replay(recording)).isEmpty());
    Recording other = recording;
    other.seed = Seed {8};
    other.scenario = impatient({u"network.request={\"kind\":\"exponential\",\"mean_ms\":5}"_s});
    EXPECT_TRUE(differences(recording.outcome, replay(other)).join(u' ').contains(u"trace: "_s));
}

TEST(Recording, ReplaysWhatWasDoneByHandAndStopsWhereItStopped)
{
    const Scenario scenario = impatient();
    History history(scenario, Seed {1});
    history.seek(500);
    history.intervene({.verb = OperatorAction::Verb::Abandon, .select = Filter::inStates({State::InProgress})});
    history.seek(900);
    ASSERT_GT(history.run().counts().abandons, 0U);
    Recording recording {.version = u"1.2.3"_s,
        .seed = Seed {1},
        .scenario = scenario,
        .interventions = history.interventions(),
        .outcome = outcomeOf(history.run())};
    ASSERT_FALSE(recording.outcome.complete);
    const auto read = parseRecording(toJsonLines(recording));
    ASSERT_TRUE(read.has_value());
    const RunOutcome outcome = replay(*read);
    EXPECT_EQ(outcome.events, 900U);
    EXPECT_TRUE(differences(recording.outcome, outcome).isEmpty());
    recording.interventions.clear();
    EXPECT_FALSE(differences(recording.outcome, replay(recording)).isEmpty());
}

TEST(Recording, DifferencesNameWhatDiffers)
{
    const RunOutcome first {.traceHash = 1, .events = 100, .complete = true};
    RunOutcome then = first;
    EXPECT_TRUE(differences(first, then).isEmpty());
    then.traceHash = 2;
    then.events = 101;
    then.counts.replays = 3;
    EXPECT_EQ(differences(first, then),
        QStringList({u"trace: 0000000000000001, then 0000000000000002"_s, u"events: 100, then 101"_s,
            u"replays: 0, then 3"_s}));
}

struct Damage
{
    const char *name;
    QByteArray from;
    QByteArray to;
    int line;
    const char *says;
};

TEST(Recording, DamageIsToldWithItsLine)
{
    Recording recording = recorded(impatient({u"clients.operations=2"_s, u"expected=[]"_s}), Seed {1});
    recording.interventions = {{.after = 3, .action = {}}, {.after = 4, .action = {}}};
    const QByteArray good = toJsonLines(recording);
    ASSERT_TRUE(parseRecording(good).has_value());
    const QByteArray end = good.mid(good.lastIndexOf("{\"complete\""));
    for (const Damage &damage : {
             Damage {"format", "\"idemscope_recording\":1", "\"idemscope_recording\":2", 1, "format 1 only"},
             Damage {"no head", "\"idemscope_recording\"", "\"recording\"", 1, "first line"},
             Damage {"seed", "\"seed\":1,\"scenario\"", "\"seed\":-1,\"scenario\"", 1, "seed"},
             Damage {"scenario", "\"operations\":2", "\"operations\":-2", 1, "scenario.clients.operations"},
             Damage {"verb", "\"action\":\"abandon\"", "\"action\":\"forget\"", 2, "action"},
             Damage {"filter", "\"filter\":\"", "\"filter\":\"nonsense:", 2, "filter"},
             Damage {"as", "\"as\":\"release\"", "\"as\":\"maybe\"", 2, "as"},
             Damage {"order", "{\"after\":3", "{\"after\":5", 3, "after"},
             Damage {"not JSON", "{\"after\":4", "{after:4", 3, "3"},
             Damage {"neither", "{\"after\":4,\"intervention\"", "{\"after\":4,\"invention\"", 3, "neither"},
             Damage {"hash", "\"trace_hash\":\"", "\"trace_hash\":\"x", 4, "trace_hash"},
             Damage {"events", "\"events\":", "\"events\":-", 4, "events"},
             Damage {"count", "\"replays\":", "\"replays\":0.", 4, "replays"},
             Damage {"cut off", end, "", 3, "cut off"},
             Damage {"half a line", "}}\n" + end, "}}\n" + end.chopped(9), 4, ""},
             Damage {"no last line end", end, end.chopped(1), 4, "cut off"},
             Damage {"more", end, end + end, 5, "behind"},
         }) {
        QByteArray bad = good;
        const qsizetype at = bad.indexOf(damage.from);
        ASSERT_GE(at, 0) << damage.name;
        bad.replace(at, damage.from.size(), damage.to);
        const auto read = parseRecording(bad, u"run.jsonl"_s);
        ASSERT_FALSE(read.has_value()) << damage.name;
        EXPECT_EQ(read.error().line, damage.line) << damage.name;
        const QString text = read.error().toString();
        EXPECT_TRUE(text.startsWith(u"run.jsonl, line %1, column "_s.arg(damage.line))) << text.toStdString();
        EXPECT_TRUE(text.contains(QLatin1StringView(damage.says))) << text.toStdString();
    }
    EXPECT_FALSE(parseRecording({}).has_value());
    EXPECT_FALSE(parseRecording("\n").has_value());
}

} // namespace
} // namespace idem::sim
