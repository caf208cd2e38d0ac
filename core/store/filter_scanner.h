// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/filter.h"

#include <optional>

namespace idem {

template <typename T> using Parsed = tl::expected<T, FilterError>;

/// One alternative of a term as it was written.
struct FilterWord
{
    TextPattern pattern {};
    qsizetype position = 0;
    QStringView raw {}; ///< with its quotes and backslashes; empty where a value is missing
};

/// Cuts a filter's text into words: what Filter::parse() reads with. The text must outlive it.
class FilterScanner
{
public:
    explicit FilterScanner(QStringView text);

    [[nodiscard]] qsizetype at() const { return m_at; }
    [[nodiscard]] bool isAtEnd() const { return m_at == m_text.size(); }
    /// True at white space and at the end.
    [[nodiscard]] bool isBetweenTerms() const;

    void skipSpace();
    /// Takes `c` where it comes next.
    bool take(char16_t c);
    /// What stands before a term's colon, which is taken too; nothing where the term has no field.
    std::optional<QStringView> takeFieldName();
    /// Up to a comma, white space or the end outside quotes.
    Parsed<FilterWord> takeWord();

private:
    [[nodiscard]] std::optional<char> byteEscape() const;
    [[nodiscard]] std::optional<QChar> signEscape() const;

    QStringView m_text;
    qsizetype m_at = 0;
};

} // namespace idem
