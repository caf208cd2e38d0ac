// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>
#include <vector>

namespace idem::http {

/// One `name` or `name=value` of a query.
struct QueryItem
{
    QByteArray name {};
    std::optional<QByteArray> value {}; ///< nothing: there is no `=`

    friend bool operator==(const QueryItem &, const QueryItem &) = default;
};

/// The items of a query (the part of a target behind its `?`), so that two spellings of one query give one list.
/// RFC 3986 gives a query no inner form; these are the rules, chosen so that nothing that a server may tell apart
/// becomes equal, but for the order:
///  - items stand between `&`; empty ones are left out;
///  - sorted by name, then by value, as bytes; repeated ones are kept. The order never counts, not even for one name;
///  - `a` and `a=` are two things, because some servers tell them apart;
///  - escapes are decoded whatever their case: `%61` is `a`, `%C3` is `%c3`. A `%` that begins no escape is `%25`;
///  - `+`, `%20` and `%2B` are three things, because a form reads a `+` as a space and a path does not. So `%2B` and
///    `%25` keep their escapes in the result.
/// Time is n log n in the length. Thread-safe.
[[nodiscard]] std::vector<QueryItem> canonicalQuery(QByteArrayView query);

} // namespace idem::http
