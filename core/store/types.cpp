// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/types.h"

#include <algorithm>
#include <compare>

namespace idem {

namespace {

constexpr std::array<QLatin1StringView, StateCount> stateNames {
    QLatin1StringView("in_progress"),
    QLatin1StringView("completed"),
    QLatin1StringView("failed"),
    QLatin1StringView("abandoned"),
    QLatin1StringView("lease_expired"),
    QLatin1StringView("outcome_unknown"),
};

constexpr auto idEncoding = QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals;

std::strong_ordering compareBytes(const QByteArray &left, const QByteArray &right)
{
    // QByteArray's own order compares bytes as unsigned, like memcmp, then lengths.
    const int order = left.compare(right);
    return order <=> 0;
}

} // namespace

std::strong_ordering operator<=>(const Identity &left, const Identity &right)
{
    if (const auto order = compareBytes(left.tenant, right.tenant); std::is_neq(order)) {
        return order;
    }
    if (const auto order = compareBytes(left.caller, right.caller); std::is_neq(order)) {
        return order;
    }
    return compareBytes(left.key, right.key);
}

Identity IdentityView::toIdentity() const
{
    return {tenant.toByteArray(), caller.toByteArray(), key.toByteArray()};
}

QString RecordId::toString() const
{
    const auto raw = QByteArray::fromRawData(reinterpret_cast<const char *>(bytes.data()), qsizetype(bytes.size()));
    return QString::fromLatin1(raw.toBase64(idEncoding));
}

std::optional<RecordId> RecordId::fromString(QStringView text)
{
    const QByteArray latin1 = text.toLatin1();
    const auto decoded = QByteArray::fromBase64Encoding(latin1, idEncoding | QByteArray::AbortOnBase64DecodingErrors);
    RecordId id;
    if (!decoded || decoded.decoded.size() != qsizetype(id.bytes.size())) {
        return std::nullopt;
    }
    std::copy(decoded.decoded.begin(), decoded.decoded.end(), id.bytes.begin());
    // One text for one id: refuses padding, foreign characters and stray bits in the last one.
    if (id.toString() != text) {
        return std::nullopt;
    }
    return id;
}

QString toString(State state)
{
    return stateNames[static_cast<std::size_t>(state)];
}

std::optional<State> stateFromString(QStringView text)
{
    const auto *const found = std::find(stateNames.begin(), stateNames.end(), text);
    if (found == stateNames.end()) {
        return std::nullopt;
    }
    return static_cast<State>(found - stateNames.begin());
}

} // namespace idem
