// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <cstdint>
#include <variant>
#include <vector>

namespace idem {

enum class Wildcard : std::uint8_t {
    AnyText, ///< `*`: any bytes, none too
    OneCharacter, ///< `?`: one UTF-8 character; a byte that is part of none counts as one
};

/// A pattern that a whole byte string matches or not, case-sensitively: literals and wildcards in turn. A value, kept
/// canonical by append(): no empty literal, no two literals and no two `*` side by side. Without parts it matches the
/// empty string.
struct TextPattern
{
    using Part = std::variant<QByteArray, Wildcard>;
    std::vector<Part> parts {};

    static TextPattern exactly(const QByteArray &text);
    static TextPattern startingWith(const QByteArray &prefix);

    /// Puts a part at the end.
    void append(QByteArrayView literal);
    void append(Wildcard wildcard);

    /// True without wildcards: what an index, or a column of encrypted keys, can look up.
    [[nodiscard]] bool isExact() const;
    /// The only text that matches. Only for isExact().
    [[nodiscard]] QByteArray exactText() const;

    /// Takes time in the order of both lengths' product at worst.
    [[nodiscard]] bool matches(QByteArrayView text) const;

    friend bool operator==(const TextPattern &, const TextPattern &) = default;
};

} // namespace idem
