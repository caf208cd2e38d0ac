// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/http/json.h"

#include <QSet>

#include <optional>

namespace idem::json {

/// Reads one document; see parse(). Recursive descent; the depth limit bounds the recursion.
class Scanner
{
public:
    Scanner(QByteArrayView text, Limits limits)
        : m_text(text)
        , m_limits(limits)
    {
    }

    tl::expected<Value, Error> document();

private:
    [[nodiscard]] bool atEnd() const { return m_pos >= m_text.size(); }
    [[nodiscard]] char peek() const { return atEnd() ? '\0' : m_text[m_pos]; }
    bool take(char c);
    void skipSpace();

    /// Counts on from where it was asked last, so that all positions together cost one pass.
    Position here();

    bool fail(const QString &problem, std::optional<Position> at = {});
    bool unexpected(const QString &wanted);

    bool scanValue(Value &value, int depth);
    bool scanObject(Object &object, int depth);
    bool scanMember(Object &object, QSet<QString> &names, int depth);
    bool scanArray(Array &array, int depth);
    bool scanString(QString &string);
    bool scanEscape(QString &string);
    bool scanHex(char16_t &unit);
    bool scanCharacter(QString &string);
    bool scanNumber(Number &number);
    bool scanDigits();
    bool scanWord(QByteArrayView word);

    QByteArrayView m_text;
    Limits m_limits;
    qsizetype m_pos = 0;
    qsizetype m_counted = 0;
    Position m_here {1, 1};
    std::size_t m_values = 0;
    std::optional<Error> m_error;
};

} // namespace idem::json
