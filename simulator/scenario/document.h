// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/http/json.h"
#include "simulator/scenario/load.h"

namespace idem::sim {

/// A scenario's text as a tree, overrides applied. What an override brought in has no position (line 0).
class Document
{
public:
    /// Errors: the text is not JSON; an override is none, or leads nowhere.
    static tl::expected<Document, ScenarioError> parse(
        const QByteArray &json, const QStringList &overrides, const QString &file);

    [[nodiscard]] const json::Value &root() const { return m_root; }

    /// The tree as compact JSON, its members in their order and its numbers as they were written.
    [[nodiscard]] QByteArray toJson() const;

    /// Where `path` is in the text; where the nearest thing around it is when it is missing.
    [[nodiscard]] json::Position positionOf(const QStringList &path) const;
    /// The error "`problem` at `path`"; names the override when one is to blame.
    [[nodiscard]] ScenarioError error(const QStringList &path, json::Position at, const QString &problem) const;
    [[nodiscard]] ScenarioError error(const QStringList &path, const QString &problem) const
    {
        return error(path, positionOf(path), problem);
    }

private:
    struct Override
    {
        QString text {};
        QStringList path {};
        json::Value value {};
    };
    /// What is wrong with `text` as an override; empty when nothing is.
    static QString parseOverride(const QString &text, Override &result);
    QString apply(const Override &change);

    QString m_file {};
    json::Value m_root {};
    std::vector<Override> m_overrides {};
};

/// `value` as compact JSON on one line; numbers as they were written.
[[nodiscard]] QByteArray toJson(const json::Value &value);

/// `text`, cut to what fits a message.
[[nodiscard]] QString shortened(const QString &text);

} // namespace idem::sim
