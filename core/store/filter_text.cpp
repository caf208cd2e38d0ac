// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/duration_text.h"
#include "core/store/filter.h"

#include <QStringList>

#include <algorithm>

namespace idem {

using namespace Qt::StringLiterals;

namespace {

QString signOf(Comparison comparison)
{
    switch (comparison) {
    case Comparison::Equal:
        return {};
    case Comparison::Greater:
        return u">"_s;
    case Comparison::AtLeast:
        return u">="_s;
    case Comparison::Less:
        return u"<"_s;
    case Comparison::AtMost:
        return u"<="_s;
    }
    Q_UNREACHABLE();
}

QString byteEscape(unsigned int byte)
{
    return u"\\x%1"_s.arg(byte, 2, 16, QLatin1Char('0'));
}

/// As UTF-8 where the bytes are some; else with an escape for each byte that is not ASCII.
QString literalText(const QByteArray &bytes)
{
    const QString decoded = QString::fromUtf8(bytes);
    const bool isUtf8 = decoded.toUtf8() == bytes; // not so with a byte order mark, which decoding drops
    QString text;
    for (const QChar c : isUtf8 ? decoded : QString::fromLatin1(bytes)) {
        const char16_t unit = c.unicode();
        if (unit < u' ' || unit == u'\x7F' || (!isUtf8 && unit > u'\x7F')) {
            text += byteEscape(unit);
            continue;
        }
        if (QStringView(u"*?\\\"").contains(c)) {
            text += u'\\';
        }
        text += c;
    }
    return text;
}

QString valueText(const TextPattern &pattern)
{
    QString text;
    for (const TextPattern::Part &part : pattern.parts) {
        if (const auto *literal = std::get_if<QByteArray>(&part)) {
            text += literalText(*literal);
        } else {
            text += part == TextPattern::Part(Wildcard::AnyText) ? u'*' : u'?';
        }
    }
    const bool mustQuote =
        text.isEmpty() || std::ranges::any_of(text, [](QChar c) { return c.isSpace() || c == u','; });
    return mustQuote ? u'"' + text + u'"' : text;
}

QString valueText(State state)
{
    return toString(state);
}

QString valueText(const RecordId &id)
{
    return id.toString();
}

QString valueText(const DurationTest &test)
{
    return signOf(test.comparison) + exactDurationText(test.bound);
}

QString valueText(const NumberTest &test)
{
    return signOf(test.comparison) + QString::number(test.bound);
}

QString valueText(const StatusClass &wanted)
{
    return QString::number(wanted.hundreds) + u"xx"_s;
}

QString valueText(bool flag)
{
    return flag ? u"true"_s : u"false"_s;
}

QString termText(const FilterTerm &term)
{
    QStringList values;
    for (const FilterValue &value : term.values) {
        values += std::visit([](const auto &one) { return valueText(one); }, value);
    }
    const QStringView name = Filter::fields()[static_cast<std::size_t>(term.field)].name;
    return u"%1%2:%3"_s.arg(term.isNegated ? u"-"_s : QString(), name, values.join(u','));
}

} // namespace

QString Filter::toString() const
{
    QStringList texts;
    for (const FilterTerm &term : terms) {
        texts += termText(term);
    }
    return texts.join(u' ');
}

} // namespace idem
