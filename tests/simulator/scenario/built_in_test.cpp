// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/retry_gate.h"
#include "simulator/model/semantics.h"
#include "simulator/scenario/load.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;

QStringList filesInSource()
{
    QStringList names =
        QDir(QStringLiteral(IDEM_SOURCE_DIR "/resources/scenarios")).entryList({u"*.json"_s}, QDir::Files);
    for (QString &name : names) {
        name.chop(5);
    }
    names.sort();
    return names;
}

TEST(BuiltIn, AreAllFilesOfTheFolderFirstLookFirst)
{
    QStringList names;
    for (const BuiltIn &builtIn : builtInScenarios()) {
        names.append(builtIn.name);
        EXPECT_FALSE(builtIn.title.isEmpty());
    }
    EXPECT_EQ(names.value(0), u"first-look"_s);
    EXPECT_EQ(names.value(1), u"preset-01-baseline"_s);
    EXPECT_LT(
        names.indexOf(u"preset-05-impatient-client"_s), names.indexOf(u"preset-05b-impatient-client-single-flight"_s));
    names.sort();
    EXPECT_EQ(names, filesInSource());
}

TEST(BuiltIn, EveryFileLoadsAndIsNamedAsItsScenario)
{
    const QStringList names = filesInSource();
    EXPECT_GE(names.size(), 13);
    for (const QString &name : names) {
        const auto scenario = loadScenario(QStringLiteral(IDEM_SOURCE_DIR "/resources/scenarios/%1.json").arg(name));
        ASSERT_TRUE(scenario.has_value()) << scenario.error().toString().toStdString();
        EXPECT_EQ(scenario->name, name);
        EXPECT_TRUE(scenario->description.endsWith(u'.')) << name.toStdString();
        EXPECT_FALSE(scenario->expected.empty()) << name.toStdString();
        for (const Expected &expected : scenario->expected) {
            EXPECT_FALSE(expected.source.isEmpty()) << name.toStdString();
        }
        EXPECT_TRUE(loadBuiltIn(name).has_value());
    }
}

TEST(BuiltIn, AnUnknownNameIsAnError)
{
    const auto scenario = loadBuiltIn(u"no-such"_s);
    ASSERT_FALSE(scenario.has_value());
    EXPECT_EQ(scenario.error().toString(), u"there is no built-in scenario called \"no-such\"."_s);
    EXPECT_FALSE(loadBuiltIn(u"schema/scenario-1.schema"_s).has_value());
}

TEST(BuiltIn, TakesOverrides)
{
    const auto scenario = loadBuiltIn(u"preset-01-baseline"_s, {u"clients.operations=7"_s});
    ASSERT_TRUE(scenario.has_value());
    EXPECT_EQ(scenario->clients.operations, 7U);
    EXPECT_FALSE(loadBuiltIn(u"preset-01-baseline"_s, {u"clients.operations=0"_s}).has_value());
}

TEST(BuiltIn, TheSchemaIsThePublishedFile)
{
    QFile file(QStringLiteral(IDEM_SOURCE_DIR "/resources/scenarios/schema/scenario-1.schema.json"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(scenarioSchema(), file.readAll());
    const QJsonObject schema = QJsonDocument::fromJson(scenarioSchema()).object();
    EXPECT_EQ(schema.value("$schema"_L1), QJsonValue(u"http://json-schema.org/draft-07/schema#"_s));
}

TEST(BuiltIn, TheSchemaKnowsEveryCountAndSemantics)
{
    const QJsonObject schema = QJsonDocument::fromJson(scenarioSchema()).object();
    QStringList counts;
    for (const QJsonValue &name : schema.value("definitions"_L1)["count"_L1]["enum"_L1].toArray()) {
        counts.append(name.toString());
    }
    QStringList expected;
    for (const Counts::Entry &entry : Counts::entries()) {
        expected.append(QString::fromStdString(std::string(entry.name)));
    }
    EXPECT_EQ(counts, expected);

    QStringList semantics;
    for (const QJsonValue &name :
        schema.value("properties"_L1)["store"_L1]["properties"_L1]["semantics"_L1]["enum"_L1].toArray()) {
        semantics.append(name.toString());
    }
    EXPECT_EQ(semantics, semanticsNames());
    for (const QString &name : Semantics::names()) {
        EXPECT_TRUE(semantics.contains(name)) << name.toStdString();
    }
}

QStringList namesIn(const QJsonValue &list)
{
    QStringList names;
    for (const QJsonValue &name : list.toArray()) {
        names.append(name.toString());
    }
    return names;
}

TEST(BuiltIn, TheSchemaKnowsEveryRetryPolicyAndGate)
{
    const QJsonObject schema = QJsonDocument::fromJson(scenarioSchema()).object();
    const QJsonValue clients = schema.value("properties"_L1)["clients"_L1]["properties"_L1];
    QStringList policies;
    for (const NamedRetryPolicy &policy : retryPolicies()) {
        policies.append(policy.name);
    }
    EXPECT_EQ(namesIn(clients["retry"_L1]["properties"_L1]["policy"_L1]["enum"_L1]), policies);
    QStringList gates;
    for (const NamedRetryGate &gate : retryGates()) {
        gates.append(gate.name);
    }
    EXPECT_EQ(namesIn(clients["budget"_L1]["properties"_L1]["kind"_L1]["enum"_L1]), gates);
}

TEST(BuiltIn, TheSchemaKnowsEveryMeasure)
{
    const QJsonObject schema = QJsonDocument::fromJson(scenarioSchema()).object();
    const QStringList names = namesIn(schema.value("definitions"_L1)["measurable"_L1]["enum"_L1]);
    for (const QString &name : names) {
        EXPECT_TRUE(isMeasurable(name)) << name.toStdString();
    }
    EXPECT_EQ(names.size(), Counts::entries().size() + Measures::entries().size());
}

} // namespace
} // namespace idem::sim
