// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/filter_scanner.h"

#include <algorithm>
#include <cctype>

namespace idem {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype signEscapeLength = 2;
constexpr qsizetype byteEscapeLength = 4;

bool isHexDigit(QChar c)
{
    return c.unicode() < 0x80 && std::isxdigit(c.unicode()) != 0;
}

} // namespace

FilterScanner::FilterScanner(QStringView text)
    : m_text(text)
{
}

bool FilterScanner::isBetweenTerms() const
{
    return isAtEnd() || m_text[m_at].isSpace();
}

void FilterScanner::skipSpace()
{
    while (!isAtEnd() && m_text[m_at].isSpace()) {
        ++m_at;
    }
}

bool FilterScanner::take(char16_t c)
{
    const bool isNext = !isAtEnd() && m_text[m_at] == c;
    m_at += isNext ? 1 : 0;
    return isNext;
}

std::optional<QStringView> FilterScanner::takeFieldName()
{
    for (qsizetype end = m_at; end < m_text.size(); ++end) {
        const QChar c = m_text[end];
        if (c == u':') {
            const QStringView name = m_text.sliced(m_at, end - m_at);
            m_at = end + 1;
            return name;
        }
        if (c.isSpace() || c == u'"' || c == u'\\') {
            break;
        }
    }
    return std::nullopt;
}

Parsed<FilterWord> FilterScanner::takeWord()
{
    FilterWord word {.position = m_at};
    QString literal;
    const auto flush = [&] {
        word.pattern.append(literal.toUtf8());
        literal.clear();
    };
    std::optional<qsizetype> quote;
    while (!isAtEnd() && (quote || (!m_text[m_at].isSpace() && m_text[m_at] != u','))) {
        const QChar c = m_text[m_at];
        if (c == u'"') {
            quote = quote ? std::nullopt : std::optional(m_at);
            ++m_at;
        } else if (c == u'*' || c == u'?') {
            flush();
            word.pattern.append(c == u'*' ? Wildcard::AnyText : Wildcard::OneCharacter);
            ++m_at;
        } else if (c != u'\\') {
            literal += c;
            ++m_at;
        } else if (const auto byte = byteEscape()) {
            flush();
            word.pattern.append(QByteArrayView(&*byte, 1));
            m_at += byteEscapeLength;
        } else if (const auto sign = signEscape()) {
            literal += *sign;
            m_at += signEscapeLength;
        } else {
            return tl::unexpected(
                FilterError {u"A backslash stands before a sign, such as \\*, or begins a byte, such as \\x1F."_s, m_at,
                    std::min(signEscapeLength, m_text.size() - m_at)});
        }
    }
    if (quote) {
        return tl::unexpected(
            FilterError {u"A quote is opened here and never closed."_s, *quote, m_text.size() - *quote});
    }
    flush();
    word.raw = m_text.sliced(word.position, m_at - word.position);
    return word;
}

/// The byte of a `\x1F` here.
std::optional<char> FilterScanner::byteEscape() const
{
    const QStringView escape = m_text.sliced(m_at).left(byteEscapeLength);
    if (escape.size() < byteEscapeLength || escape[1] != u'x' || !isHexDigit(escape[2]) || !isHexDigit(escape[3])) {
        return std::nullopt;
    }
    return static_cast<char>(escape.sliced(2).toUInt(nullptr, 16));
}

/// What the backslash here takes for itself: not a letter or digit, which are kept for later meanings.
std::optional<QChar> FilterScanner::signEscape() const
{
    if (m_at + 1 == m_text.size()) {
        return std::nullopt;
    }
    const QChar next = m_text[m_at + 1];
    return next.unicode() < 0x80 && next.isLetterOrNumber() ? std::nullopt : std::optional(next);
}

} // namespace idem
