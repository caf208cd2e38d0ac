// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/load.h"

#include "simulator/scenario/file.h"
#include "simulator/scenario/reader.h"
#include "simulator/scenario/schema.h"

namespace idem::sim {

using namespace Qt::StringLiterals;

QString ScenarioError::toString() const
{
    QString place = file;
    if (line > 0) {
        place += (place.isEmpty() ? u"line %1, column %2"_s : u", line %1, column %2"_s).arg(line).arg(column);
    }
    QStringList parts {place, member, problem};
    parts.removeAll(QString());
    const QString sentence = parts.join(u": "_s);
    return sentence.endsWith(u'.') ? sentence : sentence + u'.';
}

tl::expected<Scenario, ScenarioError> parseScenario(
    const QByteArray &json, const QStringList &overrides, const QString &file)
{
    const tl::expected<Document, ScenarioError> document = Document::parse(json, overrides, file);
    if (!document) {
        return tl::unexpected(document.error());
    }
    if (const std::optional<ScenarioError> error = checkSchema(*document)) {
        return tl::unexpected(*error);
    }
    tl::expected<Scenario, ScenarioError> scenario = readScenario(*document);
    if (scenario) {
        scenario->source = document->toJson();
    }
    return scenario;
}

tl::expected<Scenario, ScenarioError> loadScenario(const QString &path, const QStringList &overrides)
{
    const tl::expected<QByteArray, QString> json = readFile(path, maxScenarioBytes);
    if (!json) {
        return tl::unexpected(ScenarioError {.file = path, .problem = json.error()});
    }
    return parseScenario(*json, overrides, path);
}

} // namespace idem::sim
