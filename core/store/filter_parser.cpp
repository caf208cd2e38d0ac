// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/duration_text.h"
#include "core/store/filter_scanner.h"
#include "core/store/near_name.h"

#include <algorithm>
#include <limits>

namespace idem {

using namespace Qt::StringLiterals;

namespace {

using Field = FilterField;
using Kind = FilterKind;

tl::unexpected<FilterError> refusal(QString message, qsizetype position, qsizetype length)
{
    return tl::unexpected(FilterError {std::move(message), position, length});
}

tl::unexpected<FilterError> refusal(QString message, const FilterWord &word)
{
    return refusal(std::move(message), word.position, word.raw.size());
}

/// What the user wrote, short enough for a message.
QString quoted(QStringView text)
{
    constexpr qsizetype most = 40;
    if (text.size() <= most) {
        return u"\"%1\""_s.arg(text);
    }
    const qsizetype cut = text[most - 1].isHighSurrogate() ? most - 1 : most;
    return u"\"%1...\""_s.arg(text.first(cut));
}

/// A comparison's sign cut off `text`; `bare` without one.
Comparison takeComparison(QStringView &text, Comparison bare)
{
    constexpr std::array<std::pair<QStringView, Comparison>, 5> signs {{
        {u">=", Comparison::AtLeast},
        {u"<=", Comparison::AtMost},
        {u">", Comparison::Greater},
        {u"<", Comparison::Less},
        {u"=", Comparison::Equal},
    }};
    for (const auto &[sign, comparison] : signs) {
        if (text.startsWith(sign)) {
            text = text.sliced(sign.size());
            return comparison;
        }
    }
    return bare;
}

bool isNumber(QStringView text)
{
    return !text.isEmpty() && std::ranges::all_of(text, [](QChar c) { return c >= u'0' && c <= u'9'; });
}

Parsed<FilterValue> stateValue(const FilterWord &word, const QString &text)
{
    if (const auto state = stateFromString(text)) {
        return *state;
    }
    QStringList names;
    for (int i = 0; i < StateCount; ++i) {
        names.push_back(toString(static_cast<State>(i)));
    }
    const auto near = nearestName(text, names);
    return refusal(near ? u"There is no state %1; did you mean %2?"_s.arg(quoted(text), *near)
                        : u"There is no state %1; a state is %2."_s.arg(quoted(text), names.join(u", "_s)),
        word);
}

Parsed<FilterValue> durationValue(const FilterFieldInfo &info, const FilterWord &word, const QString &text)
{
    QStringView rest = text;
    const auto comparison = takeComparison(rest, info.field == Field::Age ? Comparison::AtLeast : Comparison::AtMost);
    if (comparison == Comparison::Equal) {
        return refusal(
            u"No duration is exact: %1 takes >, >=, < or <=, as in %2."_s.arg(info.name, info.example), word);
    }
    if (rest.isEmpty()) {
        return refusal(u"%1 takes a duration right behind the sign, as in %2."_s.arg(info.name, info.example), word);
    }
    const auto duration = durationFromText(rest);
    if (!duration) {
        return refusal(duration.error(), word);
    }
    return DurationTest {comparison, *duration};
}

Parsed<FilterValue> numberValue(const FilterFieldInfo &info, const FilterWord &word, const QString &text)
{
    QStringView rest = text;
    const Comparison comparison = takeComparison(rest, Comparison::Equal);
    if (!isNumber(rest)) {
        return refusal(u"%1 takes a whole number, as in %2."_s.arg(info.name, info.example), word);
    }
    bool isInRange = false;
    const std::uint64_t number = rest.toULongLong(&isInRange);
    if (!isInRange) {
        return refusal(u"The number is above %1."_s.arg(std::numeric_limits<std::uint64_t>::max()), word);
    }
    return NumberTest {comparison, number};
}

Parsed<FilterValue> statusValue(const FilterWord &word, const QString &text)
{
    const QStringView view = text;
    if (view.size() == 3 && view.endsWith(u"xx") && view[0] >= u'1' && view[0] <= u'5') {
        return StatusClass {view[0].unicode() - u'0'};
    }
    QStringView rest = view;
    const Comparison comparison = takeComparison(rest, Comparison::Equal);
    const std::uint64_t status = isNumber(rest) ? rest.toULongLong() : 0;
    if (status < 100 || status > 599) {
        return refusal(u"A status is 100 to 599, as in status:404, status:5xx or status:>=400."_s, word);
    }
    return NumberTest {comparison, status};
}

Parsed<FilterValue> valueOf(const FilterFieldInfo &info, const FilterWord &word)
{
    if (info.kind == Kind::Text) {
        return word.pattern;
    }
    // No such value has a wildcard in it: what was written makes the better message.
    const QString text = word.pattern.isExact() ? QString::fromUtf8(word.pattern.exactText()) : word.raw.toString();
    switch (info.kind) {
    case Kind::State:
        return stateValue(word, text);
    case Kind::TimeSpan:
        return durationValue(info, word, text);
    case Kind::Number:
        return numberValue(info, word, text);
    case Kind::Status:
        return statusValue(word, text);
    case Kind::Id:
        if (const auto id = RecordId::fromString(text)) {
            return *id;
        }
        return refusal(u"An id is 43 characters of base64url."_s, word);
    case Kind::Flag:
        if (text == u"true" || text == u"false") {
            return text == u"true";
        }
        return refusal(u"%1 is true or false."_s.arg(info.name), word);
    case Kind::Text:
        break;
    }
    Q_UNREACHABLE();
}

TextPattern containing(const TextPattern &inner)
{
    TextPattern pattern;
    pattern.append(Wildcard::AnyText);
    for (const TextPattern::Part &part : inner.parts) {
        std::visit([&](const auto &one) { pattern.append(one); }, part);
    }
    pattern.append(Wildcard::AnyText);
    return pattern;
}

Parsed<const FilterFieldInfo *> fieldNamed(QStringView name, qsizetype position)
{
    const auto fields = Filter::fields();
    const auto found = std::ranges::find(fields, name, &FilterFieldInfo::name);
    if (found != fields.end()) {
        return &*found;
    }
    if (name.isEmpty()) {
        return refusal(u"A field's name is missing before the colon."_s, position, 1);
    }
    QStringList names;
    for (const FilterFieldInfo &info : fields) {
        names.push_back(info.name.toString());
    }
    const auto near = nearestName(name, names);
    return refusal(near ? u"There is no field %1; did you mean %2?"_s.arg(quoted(name), *near)
                        : u"There is no field %1; quotes around the term look for it in keys."_s.arg(quoted(name)),
        position, name.size());
}

/// A term from behind its minus sign on.
Parsed<FilterTerm> takeTerm(FilterScanner &scanner, bool isNegated)
{
    const qsizetype start = scanner.at();
    const FilterFieldInfo *info = nullptr; // a bare word
    if (const auto name = scanner.takeFieldName()) {
        const auto field = fieldNamed(*name, start);
        if (!field) {
            return tl::unexpected(field.error());
        }
        info = *field;
    }
    FilterTerm term {.field = info != nullptr ? info->field : Field::Key, .isNegated = isNegated};
    do {
        const auto word = scanner.takeWord();
        if (!word) {
            return tl::unexpected(word.error());
        }
        if (word->raw.isEmpty()) {
            // Underlines what the value is missing behind, or the comma that it is missing before.
            const qsizetype from = term.values.empty() ? start : word->position - 1;
            return refusal(info != nullptr && term.values.empty()
                    ? u"A value is missing, as in %1."_s.arg(info->example)
                    : u"A value is missing beside the comma."_s,
                from, std::max<qsizetype>(1, word->position - from));
        }
        if (!term.values.empty() && info != nullptr && !info->takesList) {
            return refusal(u"%1 takes one value, without a comma."_s.arg(info->name), *word);
        }
        const auto value = info != nullptr ? valueOf(*info, *word) : Parsed<FilterValue>(containing(word->pattern));
        if (!value) {
            return tl::unexpected(value.error());
        }
        term.values.push_back(*value);
    } while (scanner.take(u','));
    return term;
}

/// Where half of a surrogate pair stands alone, which no UTF-8 can say.
std::optional<qsizetype> loneSurrogate(QStringView text)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate()) {
            ++i;
        } else if (text[i].isSurrogate()) {
            return i;
        }
    }
    return std::nullopt;
}

} // namespace

tl::expected<Filter, FilterError> Filter::parse(QStringView text)
{
    const QString tooLong = u"A filter has at most %L1 characters."_s.arg(maxLength);
    if (text.size() > maxLength) {
        return refusal(tooLong, maxLength, text.size() - maxLength);
    }
    if (const auto lone = loneSurrogate(text)) {
        return refusal(u"This is half of a character."_s, *lone, 1);
    }
    Filter filter;
    FilterScanner scanner(text);
    for (scanner.skipSpace(); !scanner.isAtEnd(); scanner.skipSpace()) {
        const qsizetype start = scanner.at();
        if (filter.terms.size() == maxTerms) {
            return refusal(u"A filter has at most %1 terms."_s.arg(maxTerms), start, text.size() - start);
        }
        const bool isNegated = scanner.take(u'-');
        if (isNegated && (scanner.isBetweenTerms() || scanner.take(u'-'))) {
            return refusal(u"One minus sign negates the term right behind it."_s, start, scanner.at() - start);
        }
        auto term = takeTerm(scanner, isNegated);
        if (!term) {
            return tl::unexpected(term.error());
        }
        filter.terms.push_back(*std::move(term));
    }
    // Escapes and what a bare word stands for take room: toString() must give a text that is taken again.
    if (filter.toString().size() > maxLength) {
        return refusal(tooLong, 0, text.size());
    }
    return filter;
}

} // namespace idem
