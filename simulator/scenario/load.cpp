// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/load.h"

#include "simulator/scenario/reader.h"
#include "simulator/scenario/schema.h"

#include <QFile>
#include <QFileInfo>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

tl::unexpected<ScenarioError> refused(const QString &path, const QString &problem)
{
    return tl::unexpected(ScenarioError {.file = path, .problem = problem});
}

} // namespace

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
    return readScenario(*document);
}

tl::expected<Scenario, ScenarioError> loadScenario(const QString &path, const QStringList &overrides)
{
    const QFileInfo info(path);
    if (!info.exists()) {
        return refused(path, u"there is no such file"_s);
    }
    if (!info.isFile()) {
        return refused(path, info.isDir() ? u"is a folder, not a file"_s : u"is not a regular file"_s);
    }
    QFile file(path);
    // Some files of the system claim to be empty, so the limit holds for what is read, too.
    QByteArray json;
    if (info.size() <= maxScenarioBytes) {
        if (!file.open(QIODevice::ReadOnly)) {
            return refused(path, u"cannot be read: %1"_s.arg(file.errorString()));
        }
        json = file.read(maxScenarioBytes + 1);
        if (file.error() != QFileDevice::NoError) {
            return refused(path, u"cannot be read: %1"_s.arg(file.errorString()));
        }
    }
    if (info.size() > maxScenarioBytes || json.size() > maxScenarioBytes) {
        return refused(path, u"is larger than %1 MiB"_s.arg(maxScenarioBytes >> 20));
    }
    return parseScenario(json, overrides, path);
}

} // namespace idem::sim
