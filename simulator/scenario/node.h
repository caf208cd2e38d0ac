// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/scenario/document.h"

#include <cmath>
#include <concepts>
#include <initializer_list>
#include <utility>
#include <vector>

namespace idem::sim {

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
    template <std::integral T> void readCount(T &target) const
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

} // namespace idem::sim
