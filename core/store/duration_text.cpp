// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/duration_text.h"

#include <algorithm>
#include <array>
#include <optional>

namespace idem {

using namespace Qt::StringLiterals;

namespace {

struct Unit
{
    QStringView name;
    Duration span;
};

constexpr std::array units {
    Unit {u"d", std::chrono::days(1)},
    Unit {u"h", std::chrono::hours(1)},
    Unit {u"m", std::chrono::minutes(1)},
    Unit {u"s", std::chrono::seconds(1)},
    Unit {u"ms", std::chrono::milliseconds(1)},
    Unit {u"us", std::chrono::microseconds(1)},
};

constexpr qsizetype maxDecimals = 6;

/// A number with its unit.
struct Part
{
    Duration span {};
    std::size_t unit = 0; ///< index into `units`
    bool hasDecimals = false;
};

bool isDigit(QChar c)
{
    return c >= u'0' && c <= u'9';
}

/// Cuts the leading characters for which `isWanted` holds off `rest`.
template <typename Predicate> QStringView take(QStringView &rest, Predicate isWanted)
{
    const auto *const end = std::find_if_not(rest.begin(), rest.end(), isWanted);
    const QStringView taken = rest.first(end - rest.begin());
    rest = rest.sliced(taken.size());
    return taken;
}

/// The number, or one above every bound.
Duration::rep numberOf(QStringView digits)
{
    Duration::rep number = 0;
    for (const QChar digit : digits) {
        number = std::min(number * 10 + (digit.unicode() - u'0'), maxDurationFromText.count() + 1);
    }
    return number;
}

std::optional<std::size_t> unitNamed(QStringView name)
{
    const bool isMicro = name == u"\u00B5s" || name == u"\u03BCs"; // the micro sign and the Greek letter
    const QStringView plain = isMicro ? QStringView(u"us") : name;
    const auto *const found = std::ranges::find(units, plain, &Unit::name);
    return found == units.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - units.begin()));
}

QString tooLong()
{
    return u"A duration is at most %1 days."_s.arg(maxDurationFromText / std::chrono::days(1));
}

tl::expected<Part, QString> takePart(QStringView &rest)
{
    const QStringView all = rest;
    const QStringView whole = take(rest, isDigit);
    QStringView decimals;
    const bool hasDecimals = !whole.isEmpty() && rest.startsWith(u'.');
    if (hasDecimals) {
        rest = rest.sliced(1);
        decimals = take(rest, isDigit);
    }
    if (whole.isEmpty() || (hasDecimals && decimals.isEmpty())) {
        return tl::unexpected(u"A duration is a number with a unit, such as 5m."_s);
    }
    const QStringView number = all.first(all.size() - rest.size());
    const QStringView name = take(rest, [](QChar c) { return !isDigit(c); });
    const auto unit = unitNamed(name);
    if (!unit) {
        return tl::unexpected(name.isEmpty()
                ? u"The number %1 needs a unit: us, ms, s, m, h or d."_s.arg(number.left(20))
                : u"The units of a duration are us, ms, s, m, h and d."_s);
    }
    const Duration span = units.at(*unit).span;
    if (numberOf(whole) > maxDurationFromText / span) {
        return tl::unexpected(tooLong());
    }
    if (decimals.size() > maxDecimals) {
        return tl::unexpected(u"A duration has at most %1 decimals."_s.arg(maxDecimals));
    }
    Duration::rep scale = 1;
    for (qsizetype i = 0; i < decimals.size(); ++i) {
        scale *= 10;
    }
    const Duration fraction = numberOf(decimals) * span;
    if (fraction.count() % scale != 0) {
        return tl::unexpected(u"A duration is not finer than a microsecond."_s);
    }
    return Part {numberOf(whole) * span + fraction / scale, *unit, hasDecimals};
}

} // namespace

tl::expected<Duration, QString> durationFromText(QStringView text)
{
    const bool isNegative = text.startsWith(u'-');
    QStringView rest = isNegative ? text.sliced(1) : text;
    Duration sum {};
    std::optional<Part> before;
    do {
        const auto part = takePart(rest);
        if (!part) {
            return tl::unexpected(part.error());
        }
        if (before && part->unit <= before->unit) {
            return tl::unexpected(u"The units of a duration go from the largest to the smallest, such as 1h30m."_s);
        }
        if (before && before->hasDecimals) {
            return tl::unexpected(u"Only the last number of a duration may have decimals."_s);
        }
        sum += part->span;
        before = *part;
    } while (!rest.isEmpty());
    if (sum > maxDurationFromText) {
        return tl::unexpected(tooLong());
    }
    return isNegative ? -sum : sum;
}

QString exactDurationText(Duration duration)
{
    Q_ASSERT(duration >= -maxDurationFromText && duration <= maxDurationFromText);
    if (duration == Duration::zero()) {
        return u"0s"_s;
    }
    QString text;
    Duration rest = duration;
    if (duration < Duration::zero()) {
        text = u"-"_s;
        rest = -duration;
    }
    for (const Unit &unit : units) {
        if (rest >= unit.span) {
            text.append(QString::number(rest / unit.span)).append(unit.name);
            rest %= unit.span;
        }
    }
    return text;
}

} // namespace idem
