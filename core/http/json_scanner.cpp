// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/http/json_scanner.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace idem::json {

using namespace Qt::StringLiterals;

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

QString shown(char c)
{
    const auto code = static_cast<unsigned char>(c);
    if (code > 0x20 && code < 0x7f) {
        return u"'%1'"_s.arg(QLatin1Char(c));
    }
    return u"the byte 0x%1"_s.arg(uint(code), 2, 16, QLatin1Char('0'));
}

} // namespace

tl::expected<Value, Error> Scanner::document()
{
    Value value;
    if (m_text.startsWith("\xef\xbb\xbf")) {
        fail(u"a byte order mark is not allowed"_s);
    } else if (skipSpace(); atEnd()) {
        fail(u"the document is empty"_s);
    } else if (scanValue(value, 0)) {
        skipSpace();
        if (!atEnd()) {
            fail(u"nothing may follow the document, but %1 does"_s.arg(shown(peek())));
        }
    }
    if (m_error) {
        return tl::unexpected(*m_error);
    }
    return value;
}

void Scanner::skipSpace()
{
    while (!atEnd() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) {
        ++m_pos;
    }
}

Position Scanner::here()
{
    for (; m_counted < m_pos; ++m_counted) {
        const auto c = static_cast<unsigned char>(m_text[m_counted]);
        if (c == '\n') {
            ++m_here.line;
            m_here.column = 1;
        } else if ((c & 0xc0) != 0x80) {
            ++m_here.column;
        }
    }
    return m_here;
}

bool Scanner::fail(const QString &problem, std::optional<Position> at)
{
    if (!m_error) {
        m_error = Error {at ? *at : here(), problem};
    }
    return false;
}

bool Scanner::unexpected(const QString &wanted)
{
    return fail(atEnd() ? u"the text ends where %1 should stand"_s.arg(wanted)
                        : u"%1 should stand here, not %2"_s.arg(wanted, shown(peek())));
}

bool Scanner::take(char c)
{
    if (atEnd() || m_text[m_pos] != c) {
        return false;
    }
    ++m_pos;
    return true;
}

bool Scanner::scanValue(Value &value, int depth)
{
    value.at = here();
    if (++m_values > m_limits.values) {
        return fail(u"the document has more than %1 values"_s.arg(m_limits.values));
    }
    if ((peek() == '{' || peek() == '[') && depth == m_limits.depth) {
        return fail(u"values are nested more than %1 deep"_s.arg(m_limits.depth));
    }
    switch (peek()) {
    case '{':
        return scanObject(value.data.emplace<Object>(), depth + 1);
    case '[':
        return scanArray(value.data.emplace<Array>(), depth + 1);
    case '"':
        return scanString(value.data.emplace<QString>());
    case 't':
        value.data = true;
        return scanWord("true");
    case 'f':
        value.data = false;
        return scanWord("false");
    case 'n':
        value.data = nullptr;
        return scanWord("null");
    default:
        return peek() == '-' || isDigit(peek()) ? scanNumber(value.data.emplace<Number>()) : unexpected(u"a value"_s);
    }
}

bool Scanner::scanObject(Object &object, int depth)
{
    ++m_pos;
    skipSpace();
    if (take('}')) {
        return true;
    }
    QSet<QString> names;
    while (true) {
        if (!scanMember(object, names, depth)) {
            return false;
        }
        skipSpace();
        if (take('}')) {
            return true;
        }
        const Position comma = here();
        if (!take(',')) {
            return unexpected(u"',' or '}'"_s);
        }
        skipSpace();
        if (peek() == '}') {
            return fail(u"a comma must not stand before '}'"_s, comma);
        }
    }
}

bool Scanner::scanMember(Object &object, QSet<QString> &names, int depth)
{
    if (peek() != '"') {
        return unexpected(u"a member's name in double quotes"_s);
    }
    Member member;
    member.at = here();
    if (!scanString(member.name)) {
        return false;
    }
    if (names.contains(member.name)) {
        return fail(u"the member \"%1\" is there twice"_s.arg(member.name.left(60)), member.at);
    }
    names.insert(member.name);
    skipSpace();
    if (!take(':')) {
        return unexpected(u"':'"_s);
    }
    skipSpace();
    if (!scanValue(member.value, depth)) {
        return false;
    }
    object.push_back(std::move(member));
    return true;
}

bool Scanner::scanArray(Array &array, int depth)
{
    ++m_pos;
    skipSpace();
    if (take(']')) {
        return true;
    }
    while (true) {
        if (!scanValue(array.emplace_back(), depth)) {
            return false;
        }
        skipSpace();
        if (take(']')) {
            return true;
        }
        const Position comma = here();
        if (!take(',')) {
            return unexpected(u"',' or ']'"_s);
        }
        skipSpace();
        if (peek() == ']') {
            return fail(u"a comma must not stand before ']'"_s, comma);
        }
    }
}

bool Scanner::scanString(QString &string)
{
    const Position begin = here();
    ++m_pos;
    while (true) {
        const qsizetype plain = m_pos;
        while (!atEnd() && peek() != '"' && peek() != '\\' && peek() >= 0x20) {
            ++m_pos;
        }
        string += QLatin1StringView(m_text.sliced(plain, m_pos - plain));
        if (atEnd()) {
            return fail(u"the string has no closing quote"_s, begin);
        }
        if (take('"')) {
            return true;
        }
        if (take('\\') ? !scanEscape(string) : !scanCharacter(string)) {
            return false;
        }
    }
}

bool Scanner::scanEscape(QString &string)
{
    using Escape = std::pair<char, char>;
    static constexpr std::array simple {Escape {'"', '"'}, Escape {'\\', '\\'}, Escape {'/', '/'}, Escape {'b', '\b'},
        Escape {'f', '\f'}, Escape {'n', '\n'}, Escape {'r', '\r'}, Escape {'t', '\t'}};
    for (const auto &[letter, meaning] : simple) {
        if (take(letter)) {
            string += QLatin1Char(meaning);
            return true;
        }
    }
    if (!take('u')) {
        return unexpected(u"one of \" \\ / b f n r t u after a backslash"_s);
    }
    char16_t unit = 0;
    if (!scanHex(unit)) {
        return false;
    }
    if (QChar::isLowSurrogate(unit)) {
        return fail(u"a low surrogate stands alone"_s);
    }
    string += QChar(unit);
    if (!QChar::isHighSurrogate(unit)) {
        return true;
    }
    char16_t low = 0;
    if (!take('\\') || !take('u')) {
        return fail(u"a high surrogate stands alone"_s);
    }
    if (!scanHex(low)) {
        return false;
    }
    if (!QChar::isLowSurrogate(low)) {
        return fail(u"a high surrogate stands alone"_s);
    }
    string += QChar(low);
    return true;
}

bool Scanner::scanHex(char16_t &unit)
{
    unit = 0;
    for (int i = 0; i < 4; ++i) {
        const char c = peek();
        const char lower = static_cast<char>(c | 0x20);
        if (isDigit(c)) {
            unit = static_cast<char16_t>(unit * 16 + (c - '0'));
        } else if (lower >= 'a' && lower <= 'f') {
            unit = static_cast<char16_t>(unit * 16 + (lower - 'a' + 10));
        } else {
            return unexpected(u"a hexadecimal digit"_s);
        }
        ++m_pos;
    }
    return true;
}

/// One character that is not plain ASCII: a control character, which is refused, or a UTF-8 sequence (RFC 3629).
bool Scanner::scanCharacter(QString &string)
{
    const auto first = static_cast<unsigned char>(peek());
    if (first < 0x20) {
        return fail(u"%1 must be escaped in a string"_s.arg(shown(peek())));
    }
    const int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    char32_t code = first & (0xff >> (length + 1));
    bool good = first >= 0xc2 && first <= 0xf4 && m_text.size() - m_pos >= length;
    for (int i = 1; good && i < length; ++i) {
        const auto next = static_cast<unsigned char>(m_text[m_pos + i]);
        good = (next & 0xc0) == 0x80;
        code = (code << 6) | (next & 0x3f);
    }
    static constexpr std::array<char32_t, 5> smallest {0, 0, 0x80, 0x800, 0x10000};
    if (!good || code < smallest.at(static_cast<std::size_t>(length)) || code > 0x10ffff
        || (code >= 0xd800 && code <= 0xdfff)) {
        return fail(u"the text is not UTF-8"_s);
    }
    m_pos += length;
    string += QChar::fromUcs4(code);
    return true;
}

bool Scanner::scanDigits()
{
    if (!isDigit(peek())) {
        return unexpected(u"a digit"_s);
    }
    while (isDigit(peek())) {
        ++m_pos;
    }
    return true;
}

bool Scanner::scanNumber(Number &number)
{
    const Position begin = here();
    const qsizetype start = m_pos;
    take('-');
    if (take('0')) {
        if (isDigit(peek())) {
            return fail(u"a number must not begin with 0"_s, begin);
        }
    } else if (!scanDigits()) {
        return false;
    }
    if (take('.') && !scanDigits()) {
        return false;
    }
    if (take('e') || take('E')) {
        if (!take('+')) {
            take('-');
        }
        if (!scanDigits()) {
            return false;
        }
    }
    number.text = m_text.sliced(start, m_pos - start).toByteArray();
    if (!m_limits.finiteNumbers) {
        return true;
    }
    bool representable = false;
    const double value = number.text.toDouble(&representable);
    if (!representable || !std::isfinite(value)) {
        return fail(u"the number is out of range"_s, begin);
    }
    return true;
}

bool Scanner::scanWord(QByteArrayView word)
{
    const Position begin = here();
    if (!m_text.sliced(m_pos).startsWith(word)) {
        return fail(u"a value should stand here (true, false and null are spelt in lower case)"_s, begin);
    }
    m_pos += word.size();
    return true;
}

tl::expected<Value, Error> parse(QByteArrayView text, Limits limits)
{
    return Scanner(text, limits).document();
}

} // namespace idem::json
