// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/http/json.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace idem::json {

Value::Value() = default;
Value::Value(const Value &) = default;
Value::Value(Value &&) noexcept = default;
Value &Value::operator=(const Value &) = default;
Value &Value::operator=(Value &&) noexcept = default;
Value::~Value() = default;

const Member *Value::member(QStringView name) const
{
    if (const auto *object = as<Object>()) {
        for (const Member &member : *object) {
            if (member.name == name) {
                return &member;
            }
        }
    }
    return nullptr;
}

const Value *Value::find(const QStringList &path) const
{
    const Value *value = this;
    for (const QString &step : path) {
        if (const auto *array = value->as<Array>()) {
            const auto index = arrayIndex(step);
            if (!index || *index >= array->size()) {
                return nullptr;
            }
            value = &(*array)[*index];
        } else if (const Member *member = value->member(step)) {
            value = &member->value;
        } else {
            return nullptr;
        }
    }
    return value;
}

std::optional<std::size_t> arrayIndex(QStringView step)
{
    const auto isDigit = [](QChar c) { return c >= u'0' && c <= u'9'; };
    if (!std::ranges::all_of(step, isDigit) || (step.size() > 1 && step.front() == u'0')) {
        return {};
    }
    bool fits = false;
    const qulonglong index = step.toULongLong(&fits); // fails on an empty text and beyond 64 bits
    return fits ? std::optional<std::size_t>(index) : std::nullopt;
}

QJsonValue Value::toJsonValue() const
{
    if (const auto *object = as<Object>()) {
        QJsonObject result;
        for (const Member &member : *object) {
            result.insert(member.name, member.value.toJsonValue());
        }
        return result;
    }
    if (const auto *array = as<Array>()) {
        QJsonArray result;
        for (const Value &item : *array) {
            result.append(item.toJsonValue());
        }
        return result;
    }
    if (const auto *number = as<Number>()) {
        bool isInteger = false;
        const qlonglong integer = number->text.toLongLong(&isInteger);
        return isInteger && number->text != "-0" ? QJsonValue(qint64(integer)) : QJsonValue(number->toDouble());
    }
    if (const auto *string = as<QString>()) {
        return *string;
    }
    if (const auto *boolean = as<bool>()) {
        return *boolean;
    }
    return QJsonValue::Null;
}

} // namespace idem::json
