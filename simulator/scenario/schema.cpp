// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/schema.h"

#include "simulator/scenario/suggestion.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

// The only file that includes valijson: its headers take seconds to compile.
#include <valijson/adapters/qtjson_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <array>
#include <utility>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

/// The published schema: as JSON, for the words of messages, and as valijson's rules.
struct Published
{
    QJsonObject json {};
    valijson::Schema rules {};

    Published()
        : json(QJsonDocument::fromJson(scenarioSchema()).object())
    {
        valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
        parser.populateSchema(valijson::adapters::QtJsonAdapter(QJsonValue(json)), rules);
    }

    static const Published &instance()
    {
        static const Published published;
        return published;
    }

    QJsonObject resolved(const QJsonObject &node) const
    {
        const QString reference = node.value("$ref"_L1).toString();
        if (reference.isEmpty()) {
            return node;
        }
        return json.value("definitions"_L1).toObject().value(reference.section(u'/', -1)).toObject();
    }

    /// The part of the schema that rules the value at `path`; empty when none does.
    QJsonObject ruleOf(const QStringList &path) const
    {
        QJsonObject node = json;
        for (const QString &step : path) {
            const QJsonObject items = node.value("items"_L1).toObject();
            node = resolved(items.isEmpty() ? node.value("properties"_L1).toObject().value(step).toObject() : items);
        }
        return node;
    }
};

/// valijson's context is "<root>", "[clients]", "[retry]" ... for members and for array items alike.
QStringList pathOf(const std::vector<std::string> &context)
{
    QStringList path;
    for (std::size_t i = 1; i < context.size(); ++i) {
        const QString step = QString::fromStdString(context[i]);
        path.append(step.mid(1, step.size() - 2));
    }
    return path;
}

QString typeWords(const QJsonValue &type)
{
    using Words = std::pair<QLatin1StringView, QLatin1StringView>;
    static constexpr std::array words {Words {"object"_L1, "an object"_L1}, Words {"array"_L1, "a list"_L1},
        Words {"string"_L1, "a text"_L1}, Words {"number"_L1, "a number"_L1}, Words {"integer"_L1, "a whole number"_L1},
        Words {"boolean"_L1, "true or false"_L1}, Words {"null"_L1, "null"_L1}};
    QStringList alternatives;
    const QJsonArray types = type.isArray() ? type.toArray() : QJsonArray {type};
    for (const auto &name : types) {
        for (const auto &[key, meaning] : words) {
            if (name.toString() == key) {
                alternatives.append(meaning);
            }
        }
    }
    return alternatives.join(u" or "_s);
}

QString quoted(const QString &text)
{
    return u"\"%1\""_s.arg(shortened(text));
}

QString enumProblem(const QJsonArray &choices, const json::Value &value)
{
    constexpr qsizetype mostShown = 8;
    QStringList names;
    QStringList shown;
    for (const auto &choice : choices) {
        names.append(choice.toVariant().toString());
        shown.append(choice.isString() ? quoted(names.last()) : names.last());
    }
    const auto *word = value.as<QString>();
    const QString nearest = word ? nearestName(*word, names) : QString();
    const QString hint = nearest.isEmpty() ? QString() : u"; did you mean %1?"_s.arg(quoted(nearest));
    if (shown.size() > mostShown) {
        return u"is not one of the %1 known names%2"_s.arg(shown.size()).arg(hint);
    }
    const QString last = shown.takeLast();
    return shown.isEmpty() ? u"must be %1"_s.arg(last) : u"must be %1 or %2%3"_s.arg(shown.join(u", "_s), last, hint);
}

QString numberText(const QJsonValue &number)
{
    return QString::number(number.toDouble(), 'g', 17);
}

/// What the rule says about a value of the right type.
QString boundProblem(const QJsonObject &rule, const json::Value &value)
{
    if (const auto *number = value.as<json::Number>()) {
        const double measured = number->toDouble();
        if (rule.contains("minimum"_L1) && measured < rule.value("minimum"_L1).toDouble()) {
            return u"must be at least %1"_s.arg(numberText(rule.value("minimum"_L1)));
        }
        if (rule.contains("maximum"_L1) && measured > rule.value("maximum"_L1).toDouble()) {
            return u"must be at most %1"_s.arg(numberText(rule.value("maximum"_L1)));
        }
    } else if (value.as<QString>()) {
        return value.as<QString>()->isEmpty()
            ? u"must not be empty"_s
            : u"must have at most %1 characters"_s.arg(rule.value("maxLength"_L1).toInt());
    } else if (value.as<json::Array>()) {
        return u"must have at most %1 items"_s.arg(rule.value("maxItems"_L1).toInt());
    }
    return {};
}

struct Finding
{
    json::Position at {};
    QStringList path {};
    QString problem {};
};

Finding unknownMember(const QStringList &path, const json::Value &value, const QJsonObject &rule)
{
    const QStringList known = rule.value("properties"_L1).toObject().keys();
    Finding finding;
    for (const json::Member &member : *value.as<json::Object>()) {
        const bool isFirst = finding.path.isEmpty() || member.at < finding.at;
        if (isFirst && !known.contains(member.name)) {
            const QString nearest = nearestName(member.name, known);
            finding.at = member.at;
            finding.path = path + QStringList(member.name);
            finding.problem = u"is not a member of a scenario%1"_s.arg(
                nearest.isEmpty() ? QString() : u"; did you mean %1?"_s.arg(quoted(nearest)));
        }
    }
    return finding;
}

/// One of valijson's errors in our words; without a problem when it only says that something inside is wrong.
Finding rephrase(const Document &document, const valijson::ValidationResults::Error &error)
{
    const QString said = QString::fromStdString(error.description);
    const QStringList path = pathOf(error.context);
    const json::Value *value = document.root().find(path);
    if (!value || said.startsWith("Failed to validate"_L1)) {
        return {};
    }
    const QJsonObject rule = Published::instance().ruleOf(path);
    if (said.startsWith("Object contains a property"_L1)) {
        return unknownMember(path, *value, rule);
    }
    if (said.startsWith("Missing required property"_L1)) {
        return {value->at, path + QStringList(said.section(u'\'', 1, 1)), u"is missing"_s};
    }
    if (rule.contains("enum"_L1)) {
        return {value->at, path, enumProblem(rule.value("enum"_L1).toArray(), *value)};
    }
    QString problem;
    if (said.startsWith("Value type"_L1)) {
        // valijson takes a whole number beyond 32 bits for none, so its size comes first.
        problem = value->as<json::Number>() ? boundProblem(rule, *value) : QString();
        if (problem.isEmpty()) {
            problem = u"must be %1"_s.arg(typeWords(rule.value("type"_L1)));
        }
    } else {
        problem = boundProblem(rule, *value);
    }
    return {value->at, path, problem.isEmpty() ? said : problem};
}

} // namespace

std::optional<ScenarioError> checkSchema(const Document &document)
{
    const QJsonValue json = document.root().toJsonValue();
    valijson::Validator validator;
    valijson::ValidationResults results;
    if (validator.validate(Published::instance().rules, valijson::adapters::QtJsonAdapter(json), &results)) {
        return std::nullopt;
    }
    std::optional<Finding> first;
    for (const valijson::ValidationResults::Error &error : results) {
        Finding finding = rephrase(document, error);
        if (!finding.problem.isEmpty() && (!first || finding.at < first->at)) {
            first = std::move(finding);
        }
    }
    if (!first) {
        first = Finding {document.root().at, {}, u"does not obey the scenario schema"_s};
    }
    return document.error(first->path, first->at, first->problem);
}

} // namespace idem::sim
