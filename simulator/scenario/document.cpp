// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/document.h"

#include <algorithm>
#include <utility>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

/// A scenario has a few hundred values. The limits bound the memory of everything that comes after the scanner.
constexpr json::Limits scenarioLimits {.depth = 64, .values = 100'000};

bool isPrefix(const QStringList &start, const QStringList &whole)
{
    return start.size() <= whole.size() && std::equal(start.begin(), start.end(), whole.begin());
}

void forgetPositions(json::Value &value)
{
    value.at = {};
    if (auto *object = std::get_if<json::Object>(&value.data)) {
        for (json::Member &member : *object) {
            member.at = {};
            forgetPositions(member.value);
        }
    } else if (auto *array = std::get_if<json::Array>(&value.data)) {
        for (json::Value &item : *array) {
            forgetPositions(item);
        }
    }
}

/// The member `name` of `object`, made when it is missing.
json::Value &memberOf(json::Object &object, const QString &name)
{
    for (json::Member &member : object) {
        if (member.name == name) {
            return member.value;
        }
    }
    return object.emplace_back(json::Member {.name = name}).value;
}

} // namespace

QString shortened(const QString &text)
{
    constexpr qsizetype most = 60;
    return text.size() <= most ? text : text.left(most) + u"…"_s;
}

QString Document::parseOverride(const QString &text, Override &result)
{
    const qsizetype equals = text.indexOf(u'=');
    if (equals <= 0) {
        return u"an override must look like path=value, not %1"_s.arg(shortened(text));
    }
    result.text = text;
    result.path = text.left(equals).split(u'.');
    if (result.path.contains(QString()) || result.path.size() > scenarioLimits.depth) {
        return u"the path of the override %1 is not made of names with dots between them"_s.arg(shortened(text));
    }
    const QString value = text.mid(equals + 1);
    if (auto parsed = json::parse(value.toUtf8(), scenarioLimits)) {
        result.value = std::move(*parsed);
        forgetPositions(result.value);
    } else {
        result.value.data = value;
    }
    return {};
}

QString Document::apply(const Override &change)
{
    json::Value *value = &m_root;
    for (const QString &step : change.path) {
        if (auto *array = std::get_if<json::Array>(&value->data)) {
            bool isIndex = false;
            const std::size_t index = step.toULongLong(&isIndex);
            if (!isIndex || index > array->size()) {
                return u"the override %1 needs an index from 0 to %2 in place of %3"_s.arg(
                    shortened(change.text), QString::number(array->size()), shortened(step));
            }
            value = index < array->size() ? &(*array)[index] : &array->emplace_back();
            continue;
        }
        if (value->at == json::Position {} && value->as<std::nullptr_t>()) {
            value->data.emplace<json::Object>(); // just made, on the way to a missing member
        }
        auto *object = std::get_if<json::Object>(&value->data);
        if (!object) {
            return u"the override %1 asks for %2 inside of something that has no members"_s.arg(
                shortened(change.text), shortened(step));
        }
        value = &memberOf(*object, step);
    }
    *value = change.value;
    return {};
}

tl::expected<Document, ScenarioError> Document::parse(
    const QByteArray &json, const QStringList &overrides, const QString &file)
{
    Document document;
    document.m_file = file;
    if (json.isEmpty()) {
        return tl::unexpected(document.error({}, json::Position {}, u"is empty"_s));
    }
    tl::expected<json::Value, json::Error> root = json::parse(json, scenarioLimits);
    if (!root) {
        return tl::unexpected(document.error({}, root.error().at, root.error().problem));
    }
    document.m_root = std::move(*root);
    for (const QString &text : overrides) {
        Override change;
        QString problem = parseOverride(text, change);
        if (problem.isEmpty()) {
            problem = document.apply(change);
        }
        if (!problem.isEmpty()) {
            return tl::unexpected(ScenarioError {.file = file, .member = change.path.join(u'.'), .problem = problem});
        }
        document.m_overrides.push_back(std::move(change));
    }
    return document;
}

QByteArray Document::toJson() const
{
    return sim::toJson(m_root);
}

json::Position Document::positionOf(const QStringList &path) const
{
    QStringList steps = path;
    while (true) {
        if (const json::Value *value = m_root.find(steps)) {
            return value->at;
        }
        steps.removeLast(); // the root is always found
    }
}

ScenarioError Document::error(const QStringList &path, json::Position at, const QString &problem) const
{
    ScenarioError result {
        .file = m_file, .line = at.line, .column = at.column, .member = shortened(path.join(u'.')), .problem = problem};
    if (at.line > 0) {
        return result;
    }
    // The one that set what is there; or, for what is missing, one that made the object around it.
    const QStringList around = path.mid(0, path.size() - 1);
    const auto blamed = std::find_if(m_overrides.rbegin(), m_overrides.rend(),
        [&](const Override &change) { return isPrefix(change.path, path) || isPrefix(around, change.path); });
    if (blamed != m_overrides.rend()) {
        result.problem += u" (in the override %1)"_s.arg(shortened(blamed->text));
    }
    return result;
}

} // namespace idem::sim
