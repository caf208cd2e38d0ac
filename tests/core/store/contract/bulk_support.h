// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/bulk.h"
#include "tests/core/store/contract/fixture.h"

#include <algorithm>

namespace idem::test {

/// The reason of every verb.
inline const QString why = QStringLiteral("ticket 42");

[[nodiscard]] inline BulkRequest bulk(BulkVerb verb)
{
    BulkRequest request;
    request.tenant = "acme";
    request.verb = verb;
    return request;
}

[[nodiscard]] inline BulkConfirmation confirm(std::size_t count)
{
    return {count, why};
}

[[nodiscard]] inline QByteArray keyOf(int number)
{
    return "order-" + QByteArray::number(number);
}

[[nodiscard]] inline const BulkResult *resultOf(const BulkReport &report, const QByteArray &key)
{
    const auto found =
        std::ranges::find(report.results, key, [](const BulkResult &result) { return result.item.identity.key; });
    return found == report.results.end() ? nullptr : &*found;
}

/// Why the key was refused; nothing where it was not.
[[nodiscard]] inline std::optional<StoreErrorCode> refusalOf(const BulkReport &report, const QByteArray &key)
{
    const BulkResult *result = resultOf(report, key);
    return result && result->error ? std::optional(result->error->code) : std::nullopt;
}

/// Refused as Invalid, in a sentence with these words.
template <typename T> [[nodiscard]] bool isInvalid(const Result<T> &result, QLatin1StringView words)
{
    return !result && result.error().code == StoreErrorCode::Invalid && result.error().message.contains(words);
}

} // namespace idem::test
