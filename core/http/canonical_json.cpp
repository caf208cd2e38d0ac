// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/http/canonical_json.h"

#include "core/http/json_pointer.h"

#include <algorithm>
#include <utility>

namespace idem::json {

namespace {

qsizetype leadingZeros(QByteArrayView digits)
{
    return std::ranges::find_if(digits, [](char c) { return c != '0'; }) - digits.begin();
}

/// The exponent of a number (its sign and digits; empty for none) plus `shift`, as text.
QByteArray shifted(QByteArrayView exponent, qint64 shift)
{
    const bool negative = exponent.startsWith('-');
    if (negative || exponent.startsWith('+')) {
        exponent = exponent.sliced(1);
    }
    exponent = exponent.sliced(leadingZeros(exponent));
    if (exponent.size() <= 17) {
        const qint64 small = exponent.isEmpty() ? 0 : exponent.toLongLong();
        return QByteArray::number((negative ? -small : small) + shift);
    }
    // At least 10^17, far more than the length of a text in memory: the sum keeps the exponent's sign.
    QByteArray digits = exponent.toByteArray();
    qint64 carry = negative ? -shift : shift;
    for (qsizetype i = digits.size() - 1; carry != 0 && i >= 0; --i) {
        const qint64 sum = digits[i] - '0' + carry;
        const qint64 digit = (sum % 10 + 10) % 10;
        digits[i] = static_cast<char>('0' + digit);
        carry = (sum - digit) / 10;
    }
    if (carry > 0) {
        digits.prepend(QByteArray::number(carry));
    }
    digits.remove(0, leadingZeros(digits));
    return negative ? '-' + digits : digits;
}

class Writer
{
public:
    void value(const Value &value, const PointerScope &excluded);
    void string(QStringView text);
    void raw(char c) { m_text += c; }

    [[nodiscard]] QByteArray text() && { return std::move(m_text); }

private:
    void array(const Array &array, const PointerScope &excluded);
    void object(const Object &object, const PointerScope &excluded);

    QByteArray m_text;
};

/// RFC 8785 section 3.2.2.2.
void Writer::string(QStringView text)
{
    static constexpr QByteArrayView special("\b\t\n\f\r\"\\");
    static constexpr QByteArrayView letters("btnfr\"\\");
    static constexpr QByteArrayView hex("0123456789abcdef");
    m_text += '"';
    for (const char c : text.toUtf8()) {
        if (const qsizetype known = special.indexOf(c); known >= 0) {
            m_text += '\\';
            m_text += letters[known];
        } else if (static_cast<unsigned char>(c) < 0x20) {
            m_text += "\\u00";
            m_text += hex[c >> 4];
            m_text += hex[c & 0xf];
        } else {
            m_text += c;
        }
    }
    m_text += '"';
}

void Writer::array(const Array &array, const PointerScope &excluded)
{
    m_text += '[';
    bool first = true;
    for (std::size_t i = 0; i < array.size(); ++i) {
        const PointerScope here = excluded.isEmpty() ? excluded : excluded.below(QString::number(i));
        if (here.isEnd()) {
            continue;
        }
        if (!std::exchange(first, false)) {
            m_text += ',';
        }
        value(array[i], here);
    }
    m_text += ']';
}

void Writer::object(const Object &object, const PointerScope &excluded)
{
    std::vector<const Member *> members;
    members.reserve(object.size());
    for (const Member &member : object) {
        members.push_back(&member);
    }
    // QString compares UTF-16 code units, as RFC 8785 section 3.2.3 asks.
    std::ranges::sort(members, [](const Member *left, const Member *right) { return left->name < right->name; });
    m_text += '{';
    bool first = true;
    for (const Member *member : members) {
        const PointerScope here = excluded.isEmpty() ? excluded : excluded.below(member->name);
        if (here.isEnd()) {
            continue;
        }
        if (!std::exchange(first, false)) {
            m_text += ',';
        }
        string(member->name);
        m_text += ':';
        value(member->value, here);
    }
    m_text += '}';
}

void Writer::value(const Value &value, const PointerScope &excluded)
{
    if (const auto *members = value.as<Object>()) {
        object(*members, excluded);
    } else if (const auto *items = value.as<Array>()) {
        array(*items, excluded);
    } else if (const auto *text = value.as<QString>()) {
        string(*text);
    } else if (const auto *number = value.as<Number>()) {
        m_text += canonicalNumber(number->text);
    } else if (const auto *boolean = value.as<bool>()) {
        m_text += *boolean ? "true" : "false";
    } else {
        m_text += "null";
    }
}

/// Where `steps` lead, seen by the excluded pointers; nothing when one of those ends on the way.
std::optional<PointerScope> walked(PointerScope excluded, const QStringList &steps)
{
    for (const QString &step : steps) {
        if (excluded.isEnd()) {
            return {};
        }
        excluded = excluded.below(step);
    }
    return excluded.isEnd() ? std::nullopt : std::optional(excluded);
}

QString pointerText(const QStringList &steps)
{
    QString text;
    for (QString step : steps) {
        text += u'/' + step.replace(u'~', QLatin1StringView("~0")).replace(u'/', QLatin1StringView("~1"));
    }
    return text;
}

} // namespace

QByteArray canonicalNumber(QByteArrayView number)
{
    const bool negative = number.startsWith('-');
    if (negative) {
        number = number.sliced(1);
    }
    const qsizetype e = std::ranges::find_if(number, [](char c) { return c == 'e' || c == 'E'; }) - number.begin();
    const QByteArrayView mantissa = number.first(e);
    const QByteArrayView exponent = e < number.size() ? number.sliced(e + 1) : QByteArrayView();
    const qsizetype point = mantissa.indexOf('.');
    QByteArray digits = mantissa.toByteArray();
    qint64 shift = 0;
    if (point >= 0) {
        digits.remove(point, 1);
        shift = point - digits.size();
    }
    digits.remove(0, leadingZeros(digits));
    if (digits.isEmpty()) {
        return "0";
    }
    while (digits.endsWith('0')) {
        digits.chop(1);
        ++shift;
    }
    const QByteArray power = shifted(exponent, shift);
    return (negative ? "-" : "") + digits + (power == "0" ? QByteArray() : 'e' + power);
}

QByteArray canonicalText(const Value &document, const Selection &selection)
{
    Writer writer;
    if (selection.include.empty()) {
        writer.value(document, PointerScope(selection.exclude));
        return std::move(writer).text();
    }
    bool found = false;
    for (const QStringList &steps : selection.include) {
        const Value *value = document.find(steps);
        const auto excluded = walked(PointerScope(selection.exclude), steps);
        if (value == nullptr || !excluded) {
            continue;
        }
        writer.raw(std::exchange(found, true) ? ',' : '{');
        writer.string(pointerText(steps));
        writer.raw(':');
        writer.value(*value, *excluded);
    }
    if (!found) {
        return {};
    }
    writer.raw('}');
    return std::move(writer).text();
}

} // namespace idem::json
