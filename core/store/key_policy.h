// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/outcome.h"

#include <QByteArrayView>
#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <optional>

namespace idem {

/// The longest key that any policy may admit, in bytes.
constexpr qsizetype maxKeyPolicyBytes = 255;
/// The longest pattern that a policy may hold, in characters.
constexpr qsizetype maxKeyPatternCharacters = 1000;

/// Which keys a store takes. All conditions must hold; every key is printable ASCII (0x20...0x7e) in any case, which
/// is what a structured-field String may hold (RFC 9651 section 3.3.3). Keys are compared as they are: case-sensitive,
/// nothing trimmed, nothing unescaped.
struct KeyPolicy
{
    qsizetype minBytes = 1; ///< of the key as unescaped by whoever read it, not of characters
    qsizetype maxBytes = maxKeyPolicyBytes;
    /// Only a UUID in the form of RFC 9562 section 4: 8-4-4-4-12 hexadecimal digits, either case, any version.
    bool uuidOnly = false;
    /// A regular expression (QRegularExpression's syntax) that the whole key must match; empty: none.
    QString pattern {};

    /// What is wrong with these settings, a sentence each that names the setting; empty when they hold.
    /// Bounds: 1 <= minBytes <= maxBytes <= 255; a UUID's 36 bytes lie within them under `uuidOnly`; the pattern has
    /// at most 1,000 characters and is valid, also as a group: `(?x)a # b` and `\Qa` swallow the group's end and are
    /// refused.
    [[nodiscard]] QStringList problems() const;
};

/// A key policy made ready for use. Without a pattern a check is one pass over the bytes and allocates nothing.
///
/// A pattern gets a bounded effort (PCRE's match limit, 100,000 steps), so that no key can stall a store through a
/// pattern that backtracks: what needs more is malformed.
///
/// Thread-safety: check() may be called from any thread. Qt documents QRegularExpression as reentrant, and a copy of an
/// implicitly shared object as safe to use in another thread: each check matches with a copy of its own, which shares
/// the compiled pattern.
class KeyCheck
{
public:
    /// Precondition: `policy.problems()` is empty (asserted).
    explicit KeyCheck(const KeyPolicy &policy);

    /// Why `key` is refused: KeyMissing (empty), KeyTooLong, KeyTooShort or KeyMalformed, in this order; nothing for a
    /// good key.
    [[nodiscard]] std::optional<RejectReason> check(QByteArrayView key) const;

    [[nodiscard]] const KeyPolicy &policy() const { return m_policy; }

private:
    KeyPolicy m_policy;
    std::optional<QRegularExpression> m_pattern;
};

} // namespace idem
