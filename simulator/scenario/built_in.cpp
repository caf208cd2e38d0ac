// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/load.h"

#include <QDir>
#include <QFile>

#include <algorithm>

/// A static library's resources are linked only where this is called; the macro needs the global namespace.
static void initResources()
{
    Q_INIT_RESOURCE(scenarios);
}

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

constexpr QLatin1StringView folder {":/scenarios/"};
constexpr QLatin1StringView suffix {".json"};

/// Empty for a name that is not there.
QByteArray resource(const QString &path)
{
    initResources();
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QStringList names()
{
    initResources();
    QStringList result = QDir(folder).entryList({u"*.json"_s}, QDir::Files, QDir::Name);
    for (QString &name : result) {
        name.chop(suffix.size());
    }
    // By code point: "preset-05-..." before "preset-05b-...", and first-look before them all.
    std::sort(result.begin(), result.end());
    return result;
}

} // namespace

QByteArray scenarioSchema()
{
    return resource(folder + "schema/scenario-1.schema.json"_L1);
}

std::vector<BuiltIn> builtInScenarios()
{
    std::vector<BuiltIn> result;
    for (const QString &name : names()) {
        if (const auto scenario = loadBuiltIn(name)) {
            result.push_back({.name = name, .title = scenario->title});
        }
    }
    return result;
}

tl::expected<Scenario, ScenarioError> loadBuiltIn(const QString &name, const QStringList &overrides)
{
    if (!names().contains(name)) {
        return tl::unexpected(
            ScenarioError {.problem = u"there is no built-in scenario called \"%1\""_s.arg(name.left(60))});
    }
    return parseScenario(resource(folder + name + suffix), overrides);
}

} // namespace idem::sim
