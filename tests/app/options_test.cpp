// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/options.h"

#include <QTest>

using namespace idem::app;

class OptionsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasDefaults()
    {
        const auto options = parseOptions({QStringLiteral("idemscope")});
        QVERIFY(options.has_value());
        QCOMPARE(options->scenario, QStringLiteral("first-look"));
        QVERIFY(!options->seed);
        QVERIFY(!options->theme);
        QVERIFY(options->screenshot.isEmpty());
    }

    void readsEveryOption()
    {
        const auto options = parseOptions({QStringLiteral("idemscope"), QStringLiteral("shop.json"),
            QStringLiteral("--seed"), QStringLiteral("18446744073709551615"), QStringLiteral("--theme=dark"),
            QStringLiteral("--screenshot"), QStringLiteral("a.png"), QStringLiteral("--view=plots"),
            QStringLiteral("--after=1500"), QStringLiteral("--size=1024x700")});
        QVERIFY(options.has_value());
        QCOMPARE(options->scenario, QStringLiteral("shop.json"));
        QCOMPARE(options->seed, std::optional<std::uint64_t>(UINT64_MAX));
        QVERIFY(options->theme == ThemeChoice::Dark);
        QCOMPARE(options->screenshot, QStringLiteral("a.png"));
        QCOMPARE(options->view, QStringLiteral("plots"));
        QCOMPARE(options->after, std::chrono::milliseconds(1'500));
        QCOMPARE(options->size, QSize(1024, 700));
    }

    void refusesWhatItCannotRead_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("mentions");
        const auto row = [](const char *name, const QStringList &arguments, const QString &mentions) {
            QTest::newRow(name) << arguments << mentions;
        };
        row("seed", {QStringLiteral("--seed=-1")}, QStringLiteral("-1"));
        row("theme", {QStringLiteral("--theme=pink")}, QStringLiteral("pink"));
        row("size", {QStringLiteral("--size=10x10")}, QStringLiteral("10x10"));
        row("after", {QStringLiteral("--after=soon")}, QStringLiteral("soon"));
        row("view names the views", {QStringLiteral("--view=attic")}, QStringLiteral("shortcuts"));
        row("two scenarios", {QStringLiteral("one"), QStringLiteral("two")}, QStringLiteral("two"));
        row("unknown option", {QStringLiteral("--frobnicate")}, QStringLiteral("frobnicate"));
        row("empty file", {QStringLiteral("--screenshot=")}, QStringLiteral("--screenshot"));
    }

    void refusesWhatItCannotRead()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, mentions);
        const auto options = parseOptions(QStringList {QStringLiteral("idemscope")} + arguments);
        QVERIFY(!options.has_value());
        QVERIFY2(options.error().contains(mentions), qPrintable(options.error()));
    }
};

QTEST_GUILESS_MAIN(OptionsTest)
#include "options_test.moc"
