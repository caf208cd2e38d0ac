// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/duration_text.h"

#include <QTest>

using namespace idem;
using namespace idem::app;
using namespace std::chrono_literals;

class DurationTextTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsTheTwoLargestUnits_data()
    {
        QTest::addColumn<qlonglong>("microseconds");
        QTest::addColumn<QString>("text");
        const auto row = [](const char *name, Duration duration, const QString &text) {
            QTest::newRow(name) << qlonglong(duration.count()) << text;
        };
        row("nothing", 0s, QStringLiteral("0 s"));
        row("250 us", 250us, QStringLiteral("250 µs"));
        row("just below a second", 999'999us, QStringLiteral("999 ms"));
        row("999 ms", 999ms, QStringLiteral("999 ms"));
        row("a second", 1s, QStringLiteral("1 s"));
        row("cut off, not rounded", 1'999ms, QStringLiteral("1 s"));
        row("59 s", 59s, QStringLiteral("59 s"));
        row("72 s", 72s, QStringLiteral("1 m 12 s"));
        row("an hour", 1h, QStringLiteral("1 h"));
        row("an hour and a second", 1h + 1s, QStringLiteral("1 h"));
        row("25 h", 25h, QStringLiteral("1 d 1 h"));
        row("400 days", std::chrono::days(400), QStringLiteral("400 d"));
        row("negative", -3s, QStringLiteral("\u22123 s"));
        row("the lowest", Duration::min(), QStringLiteral("\u2212106751991 d 4 h"));
    }

    void showsTheTwoLargestUnits()
    {
        QFETCH(qlonglong, microseconds);
        QFETCH(QString, text);
        QCOMPARE(durationText(Duration(microseconds)), text);
    }

    void showsAllUnitsInFull()
    {
        QCOMPARE(fullDurationText(1h + 2min + 3'456ms), QStringLiteral("1 h 2 m 3.456 s"));
        QCOMPARE(fullDurationText(7ms), QStringLiteral("0.007 s"));
        QCOMPARE(fullDurationText(-61s), QStringLiteral("\u22121 m 1.000 s"));
    }

    void speaksInWords()
    {
        QCOMPARE(spokenDurationText(6s), QStringLiteral("6 seconds"));
        QCOMPARE(spokenDurationText(61s), QStringLiteral("1 minute 1 second"));
        QCOMPARE(spokenDurationText(26h), QStringLiteral("1 day 2 hours"));
        QCOMPARE(spokenDurationText(400ms), QStringLiteral("0 seconds"));
    }

    void showsAClock()
    {
        QCOMPARE(clockText(0s), QStringLiteral("00:00.0"));
        QCOMPARE(clockText(62'345ms), QStringLiteral("01:02.3"));
        QCOMPARE(clockText(1h + 1s), QStringLiteral("1:00:01.0"));
    }
};

QTEST_GUILESS_MAIN(DurationTextTest)
#include "duration_text_test.moc"
