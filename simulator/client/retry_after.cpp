// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/retry_after.h"

#include <QByteArrayList>

#include <algorithm>
#include <array>

namespace idem::sim {

namespace {

using namespace std::chrono;

constexpr std::int64_t mostSeconds = std::int64_t {1} << 31;

constexpr std::array<QByteArrayView, 12> monthNames {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<QByteArrayView, 7> dayNames {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
constexpr std::array<QByteArrayView, 7> longDayNames {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Digits only, saturated at 2^31.
std::optional<std::int64_t> digits(QByteArrayView text)
{
    if (text.isEmpty() || !std::ranges::all_of(text, isDigit)) {
        return std::nullopt;
    }
    std::int64_t value = 0;
    for (const char c : text) {
        value = std::min(value * 10 + (c - '0'), mostSeconds);
    }
    return value;
}

/// Takes a date apart from its front; once something does not fit, it stays failed.
class Cursor
{
public:
    explicit Cursor(QByteArrayView text)
        : m_rest(text)
    {
    }

    void expect(QByteArrayView text)
    {
        m_ok = m_ok && m_rest.startsWith(text);
        skip(text.size());
    }
    /// Exactly `count` digits; with `padded` the first may be a space.
    int number(qsizetype count, bool padded = false)
    {
        const bool hasSpace = padded && m_ok && m_rest.startsWith(' ');
        const qsizetype skipped = hasSpace ? 1 : 0;
        skip(skipped);
        const QByteArrayView text = m_ok && m_rest.size() >= count - skipped ? m_rest.first(count - skipped) : "";
        const auto value = digits(text);
        m_ok = m_ok && value.has_value();
        skip(count - skipped);
        return static_cast<int>(value.value_or(0));
    }
    /// The place, from 0, of the name that comes next.
    template <std::size_t Size> int name(const std::array<QByteArrayView, Size> &names)
    {
        const auto *const found =
            std::ranges::find_if(names, [this](QByteArrayView each) { return m_ok && m_rest.startsWith(each); });
        m_ok = found != names.end();
        if (m_ok) {
            skip(found->size());
        }
        return static_cast<int>(found - names.begin());
    }
    void time()
    {
        m_hour = number(2);
        expect(":");
        m_minute = number(2);
        expect(":");
        m_second = number(2);
    }
    /// The moment, when all of the text was taken and the date exists.
    [[nodiscard]] std::optional<sys_seconds> finish(int yearNumber, int monthIndex, int dayNumber) const
    {
        const year_month_day date {
            year(yearNumber), month(static_cast<unsigned>(monthIndex + 1)), day(static_cast<unsigned>(dayNumber))};
        constexpr int lastHour = 23;
        constexpr int lastMinute = 59;
        constexpr int leapSecond = 60; // RFC 9110 allows it; it is the next minute's first
        if (!m_ok || !m_rest.isEmpty() || !date.ok() || m_hour > lastHour || m_minute > lastMinute
            || m_second > leapSecond) {
            return std::nullopt;
        }
        return sys_days(date) + hours(m_hour) + minutes(m_minute) + seconds(m_second);
    }

private:
    void skip(qsizetype count)
    {
        if (m_ok) {
            m_rest = m_rest.sliced(count);
        }
    }

    QByteArrayView m_rest;
    bool m_ok = true;
    int m_hour = 0;
    int m_minute = 0;
    int m_second = 0;
};

/// "Sun, 06 Nov 1994 08:49:37 GMT"
std::optional<sys_seconds> imfFixdate(QByteArrayView text)
{
    Cursor cursor(text);
    cursor.name(dayNames);
    cursor.expect(", ");
    const int dayNumber = cursor.number(2);
    cursor.expect(" ");
    const int monthIndex = cursor.name(monthNames);
    cursor.expect(" ");
    const int yearNumber = cursor.number(4);
    cursor.expect(" ");
    cursor.time();
    cursor.expect(" GMT");
    return cursor.finish(yearNumber, monthIndex, dayNumber);
}

/// "Sunday, 06-Nov-94 08:49:37 GMT"
std::optional<sys_seconds> rfc850Date(QByteArrayView text, WallTime now)
{
    Cursor cursor(text);
    cursor.name(longDayNames);
    cursor.expect(", ");
    const int dayNumber = cursor.number(2);
    cursor.expect("-");
    const int monthIndex = cursor.name(monthNames);
    cursor.expect("-");
    const int yearOfCentury = cursor.number(2);
    cursor.expect(" ");
    cursor.time();
    cursor.expect(" GMT");
    constexpr int century = 100;
    constexpr years horizon(50);
    const int thisYear = static_cast<int>(year_month_day(floor<days>(now)).year());
    const int yearNumber = thisYear / century * century + yearOfCentury;
    const auto moment = cursor.finish(yearNumber, monthIndex, dayNumber);
    return moment && *moment > now + horizon ? cursor.finish(yearNumber - century, monthIndex, dayNumber) : moment;
}

/// "Sun Nov  6 08:49:37 1994"
std::optional<sys_seconds> asctimeDate(QByteArrayView text)
{
    Cursor cursor(text);
    cursor.name(dayNames);
    cursor.expect(" ");
    const int monthIndex = cursor.name(monthNames);
    cursor.expect(" ");
    const int dayNumber = cursor.number(2, true);
    cursor.expect(" ");
    cursor.time();
    cursor.expect(" ");
    const int yearNumber = cursor.number(4);
    return cursor.finish(yearNumber, monthIndex, dayNumber);
}

} // namespace

std::optional<Duration> parseRetryAfter(QByteArrayView value, WallTime now)
{
    const QByteArrayView text = value.trimmed();
    if (const auto delay = digits(text)) {
        return seconds(*delay);
    }
    auto moment = imfFixdate(text);
    if (!moment) {
        moment = rfc850Date(text, now);
    }
    if (!moment) {
        moment = asctimeDate(text);
    }
    if (!moment) {
        return std::nullopt;
    }
    return std::clamp(Duration(*moment - now), Duration::zero(), Duration(seconds(mostSeconds)));
}

std::optional<Duration> parseGrpcPushback(QByteArrayView value)
{
    if (const auto wait = digits(value)) {
        return milliseconds(*wait);
    }
    return std::nullopt;
}

} // namespace idem::sim
