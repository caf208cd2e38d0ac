// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/key_policy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

namespace idem {

using namespace Qt::StringLiterals;

namespace {

constexpr std::string_view uuidForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

// Sixteen bytes at a time, the last ones once more: a good key is the usual one.
bool isPrintableAscii(QByteArrayView key)
{
    using Block [[gnu::vector_size(16)]] = std::uint8_t;
    constexpr auto blockBytes = qsizetype(sizeof(Block));
    if (key.size() < blockBytes) {
        return std::ranges::all_of(key, [](char byte) { return byte >= 0x20 && byte <= 0x7e; });
    }
    Block foreign {};
    const auto look = [&foreign, bytes = key.data()](qsizetype place) {
        Block block;
        std::memcpy(&block, bytes + place, sizeof(block));
        foreign |= (block - std::uint8_t {0x20}) > std::uint8_t {0x7e - 0x20};
    };
    for (qsizetype place = 0; place + blockBytes <= key.size(); place += blockBytes) {
        look(place);
    }
    look(key.size() - blockBytes);
    const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(foreign);
    return (halves[0] | halves[1]) == 0;
}

bool isHexDigit(char byte)
{
    const char lower = static_cast<char>(byte | 0x20);
    return (byte >= '0' && byte <= '9') || (lower >= 'a' && lower <= 'f');
}

bool isUuid(QByteArrayView key)
{
    return std::equal(key.begin(), key.end(), uuidForm.begin(), uuidForm.end(),
        [](char byte, char form) { return form == 'x' ? isHexDigit(byte) : byte == form; });
}

/// The pattern for a whole key, under a bounded effort.
QRegularExpression compiled(const QString &pattern)
{
    return QRegularExpression(u"(*LIMIT_MATCH=100000)"_s + QRegularExpression::anchoredPattern(pattern));
}

bool matchesWhole(const QRegularExpression &pattern, QByteArrayView key)
{
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): one object is one thread's, see KeyCheck
    const QRegularExpression own(pattern);
    const QString text = QString::fromLatin1(key);
    // (*ACCEPT) in a pattern ends a match before its anchor.
    return own.match(text).capturedEnd() == text.size();
}

void checkPattern(QStringList &problems, const QString &pattern)
{
    if (pattern.size() > maxKeyPatternCharacters) {
        problems.append(
            u"pattern must have at most %1 characters, not %2."_s.arg(maxKeyPatternCharacters).arg(pattern.size()));
        return;
    }
    // Both: a) alone is invalid, but closes the group around it; \Qa alone is valid, but does not end in a group.
    for (const QRegularExpression &expression : {QRegularExpression(pattern), compiled(pattern)}) {
        if (!expression.isValid()) {
            problems.append(u"pattern must be a regular expression: %1."_s.arg(expression.errorString()));
            return;
        }
    }
}

} // namespace

QStringList KeyPolicy::problems() const
{
    QStringList problems;
    for (const auto &[name, value] : {std::pair("minBytes"_L1, minBytes), std::pair("maxBytes"_L1, maxBytes)}) {
        if (value < 1 || value > maxKeyPolicyBytes) {
            problems.append(u"%1 must be 1 to %2, not %3."_s.arg(name).arg(maxKeyPolicyBytes).arg(value));
        }
    }
    if (minBytes > maxBytes) {
        problems.append(u"minBytes must not be above maxBytes, %1 > %2."_s.arg(minBytes).arg(maxBytes));
    }
    const auto uuidBytes = static_cast<qsizetype>(uuidForm.size());
    if (uuidOnly && (minBytes > uuidBytes || maxBytes < uuidBytes)) {
        problems.append(u"uuidOnly needs minBytes and maxBytes around %1, the length of a UUID."_s.arg(uuidBytes));
    }
    checkPattern(problems, pattern);
    return problems;
}

KeyCheck::KeyCheck(const KeyPolicy &policy)
    : m_policy(policy)
{
    Q_ASSERT(policy.problems().isEmpty());
    if (!policy.pattern.isEmpty()) {
        m_pattern = compiled(policy.pattern);
        m_pattern->optimize(); // here, not on a first caller's time
    }
}

std::optional<RejectReason> KeyCheck::check(QByteArrayView key) const
{
    if (key.isEmpty()) {
        return RejectReason::KeyMissing;
    }
    if (key.size() > m_policy.maxBytes) {
        return RejectReason::KeyTooLong;
    }
    if (key.size() < m_policy.minBytes) {
        return RejectReason::KeyTooShort;
    }
    const bool isGood = m_policy.uuidOnly ? isUuid(key) : isPrintableAscii(key);
    if (!isGood || (m_pattern && !matchesWhole(*m_pattern, key))) {
        return RejectReason::KeyMalformed;
    }
    return std::nullopt;
}

} // namespace idem
