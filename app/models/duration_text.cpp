// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/duration_text.h"

#include <QCoreApplication>

#include <array>

namespace idem::app {

using namespace Qt::StringLiterals;

namespace {

struct Unit
{
    Duration span;
    const char *text;
    const char *spokenOne = nullptr;
    const char *spokenMany = nullptr;
};

constexpr std::array units = {
    Unit {std::chrono::days(1), QT_TRANSLATE_NOOP("idem::app::Duration", "%1 d"),
        QT_TRANSLATE_NOOP("idem::app::Duration", "1 day"), QT_TRANSLATE_NOOP("idem::app::Duration", "%1 days")},
    Unit {std::chrono::hours(1), QT_TRANSLATE_NOOP("idem::app::Duration", "%1 h"),
        QT_TRANSLATE_NOOP("idem::app::Duration", "1 hour"), QT_TRANSLATE_NOOP("idem::app::Duration", "%1 hours")},
    Unit {std::chrono::minutes(1), QT_TRANSLATE_NOOP("idem::app::Duration", "%1 m"),
        QT_TRANSLATE_NOOP("idem::app::Duration", "1 minute"), QT_TRANSLATE_NOOP("idem::app::Duration", "%1 minutes")},
    Unit {std::chrono::seconds(1), QT_TRANSLATE_NOOP("idem::app::Duration", "%1 s"),
        QT_TRANSLATE_NOOP("idem::app::Duration", "1 second"), QT_TRANSLATE_NOOP("idem::app::Duration", "%1 seconds")},
    Unit {std::chrono::milliseconds(1), QT_TRANSLATE_NOOP("idem::app::Duration", "%1 ms")},
    Unit {std::chrono::microseconds(1), QT_TRANSLATE_NOOP("idem::app::Duration", "%1 µs")},
};
constexpr std::size_t secondsUnit = 3;

QString unitText(const Unit &unit, Duration::rep number)
{
    return QCoreApplication::translate("idem::app::Duration", unit.text).arg(number);
}

/// The magnitude; the most negative duration has none of its own and becomes the largest one.
Duration magnitude(Duration duration)
{
    if (duration == Duration::min()) {
        return Duration::max();
    }
    return duration < Duration::zero() ? -duration : duration;
}

QString withSign(Duration duration, const QString &text)
{
    return duration < Duration::zero() ? u"\u2212"_s + text : text;
}

} // namespace

QString durationText(Duration duration)
{
    const Duration span = magnitude(duration);
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (span < units[i].span) {
            continue;
        }
        QString text = unitText(units[i], span / units[i].span);
        if (i < secondsUnit) {
            const auto rest = (span % units[i].span) / units[i + 1].span;
            if (rest > 0) {
                text += u' ' + unitText(units[i + 1], rest);
            }
        }
        return withSign(duration, text);
    }
    return unitText(units[secondsUnit], 0);
}

QString fullDurationText(Duration duration)
{
    Duration span = magnitude(duration);
    QStringList parts;
    for (std::size_t i = 0; i < secondsUnit; ++i) {
        if (span >= units[i].span) {
            parts += unitText(units[i], span / units[i].span);
            span %= units[i].span;
        }
    }
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(span).count();
    const QString seconds = u"%1.%2"_s.arg(milliseconds / 1000).arg(milliseconds % 1000, 3, 10, QLatin1Char('0'));
    parts += QCoreApplication::translate("idem::app::Duration", units[secondsUnit].text).arg(seconds);
    return withSign(duration, parts.join(u' '));
}

QString spokenDurationText(Duration duration)
{
    const auto spoken = [](const Unit &unit, Duration::rep number) {
        return number == 1 ? QCoreApplication::translate("idem::app::Duration", unit.spokenOne)
                           : QCoreApplication::translate("idem::app::Duration", unit.spokenMany).arg(number);
    };
    const Duration span = magnitude(duration);
    for (std::size_t i = 0; i < secondsUnit; ++i) {
        if (span < units[i].span) {
            continue;
        }
        const auto rest = (span % units[i].span) / units[i + 1].span;
        const QString first = spoken(units[i], span / units[i].span);
        return rest > 0 ? first + u' ' + spoken(units[i + 1], rest) : first;
    }
    return spoken(units[secondsUnit], span / units[secondsUnit].span);
}

QString clockText(Duration sinceStart)
{
    const Duration span = magnitude(sinceStart);
    const auto tenths = span / std::chrono::milliseconds(100);
    const auto seconds = tenths / 10;
    const QLatin1Char zero('0');
    QString text = u"%1:%2.%3"_s.arg(seconds / 60 % 60, 2, 10, zero).arg(seconds % 60, 2, 10, zero).arg(tenths % 10);
    if (const auto hours = seconds / 3600; hours > 0) {
        text.prepend(u"%1:"_s.arg(hours));
    }
    return withSign(sinceStart, text);
}

} // namespace idem::app
