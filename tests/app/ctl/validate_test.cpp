// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs `idemctl validate` as a person or a script would.

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <cmath>
#include <csignal>

using namespace Qt::StringLiterals;

namespace {

constexpr int patience = 240'000; // ms; a sanitizer takes its time

struct Ran
{
    int code = -1;
    QString out;
    QString error;
};

Ran end(QProcess &process)
{
    if (!process.waitForFinished(patience)) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
        QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

Ran validate(const QString &options)
{
    QProcess process;
    process.start(QStringLiteral(IDEMCTL), u"validate "_s.append(options).split(u' ', Qt::SkipEmptyParts));
    return end(process);
}

} // namespace

class ValidateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void helpNamesOptionsAndGates();
    void wrongUsageIsExitTwo_data();
    void wrongUsageIsExitTwo();
    void printsALineForEachRow();
    void printsALineForEachGroupUnlessVerbose();
    void jsonHasEveryRow();
    void sameSeedSameNumbers();
    void unwritableOutputIsExitOne();
    void interruptedIsToldWithWhatIsDone();
};

void ValidateTest::helpNamesOptionsAndGates()
{
    const auto ran = validate(u"--help"_s);
    QCOMPARE(ran.code, 0);
    for (const auto &word : {u"--reduced"_s, u"--seed"_s, u"--only"_s, u"--json"_s, u"--verbose"_s, u"aws"_s,
             u"queues"_s, u"probability"_s, u"randomness"_s, u"omission"_s})
        QVERIFY2(ran.out.contains(word), qPrintable(word));
}

void ValidateTest::wrongUsageIsExitTwo_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("named");
    QTest::newRow("unknown gate") << u"--only awz"_s << u"\"awz\""_s;
    QTest::newRow("one gate of two is unknown") << u"--only omission --only x"_s << u"\"x\""_s;
    QTest::newRow("a gate without its option") << u"omission"_s << u"options only"_s;
    QTest::newRow("bad seed") << u"--seed x"_s << u"--seed"_s;
    QTest::newRow("negative seed") << u"--seed=-1"_s << u"--seed"_s;
    QTest::newRow("seed that JSON cannot hold") << u"--seed 9007199254740992"_s << u"--seed"_s;
    QTest::newRow("unknown option") << u"--fast"_s << u"fast"_s;
}

void ValidateTest::wrongUsageIsExitTwo()
{
    QFETCH(const QString, options);
    QFETCH(const QString, named);
    const auto ran = validate(options);
    QCOMPARE(ran.code, 2);
    QCOMPARE(ran.out, QString());
    QVERIFY2(ran.error.contains(named), qPrintable(ran.error));
}

void ValidateTest::printsALineForEachRow()
{
    const auto ran = validate(u"--only omission"_s);
    QCOMPARE(ran.code, 0);
    QCOMPARE(ran.error, QString()); // no progress where no terminal is
    const QStringList lines = ran.out.split(u'\n');
    QCOMPARE(lines.filter(u"  ok "_s).size(), 14);
    const QStringList mean = lines.filter(u"corrected mean (3 digits), s"_s);
    QCOMPARE(mean.size(), 1);
    QCOMPARE(mean.constFirst().simplified(), u"ok 25.003 25.003 0 - corrected mean (3 digits), s"_s);
    QVERIFY2(ran.out.endsWith(u"14 rows, 0 failed, seed 1\n"_s), qPrintable(ran.out));
}

void ValidateTest::printsALineForEachGroupUnlessVerbose()
{
    const QString row = u"FullJitter, 100 clients: calls, standard deviation"_s;
    const auto brief = validate(u"--only aws --reduced"_s);
    QCOMPARE(brief.code, 0);
    QVERIFY(!brief.out.contains(row));
    for (const auto &algorithm : {u"None"_s, u"Exponential"_s, u"EqualJitter"_s, u"FullJitter"_s, u"Decorr"_s})
        QVERIFY2(brief.out.contains(algorithm + u": 76 of 76 rows ok"_s), qPrintable(brief.out));
    const auto verbose = validate(u"--only aws --reduced --verbose"_s);
    QCOMPARE(verbose.code, 0);
    QVERIFY(verbose.out.contains(row));
    QVERIFY(!verbose.out.contains(u"76 of 76"_s));
}

void ValidateTest::jsonHasEveryRow()
{
    const auto ran = validate(u"--only omission --only aws --reduced --seed 3 --json"_s);
    QCOMPARE(ran.code, 0);
    QJsonParseError problem;
    const auto report = QJsonDocument::fromJson(ran.out.toUtf8(), &problem).object();
    QCOMPARE(problem.error, QJsonParseError::NoError);
    QCOMPARE(report[u"seed"].toInteger(), 3);
    QCOMPARE(report[u"version"].toString(), QStringLiteral(IDEM_VERSION));
    QCOMPARE(report[u"reduced"].toBool(false), true);
    QCOMPARE(report[u"complete"].toBool(false), true);
    QCOMPARE(report[u"failures"].toInt(-1), 0);
    const QJsonArray gates = report[u"gates"].toArray();
    QCOMPARE(gates.size(), 2);
    QCOMPARE(gates[0][u"name"].toString(), u"aws"_s); // in the order of the program, not of the options
    QCOMPARE(gates[0][u"rows"].toArray().size(), 5 * 19 * 4 + 1 + 18);
    QCOMPARE(gates[1][u"rows"].toArray().size(), 14);
    QCOMPARE(report[u"rows"].toInt(), 399 + 14);
    for (const auto &gate : gates) {
        for (const auto &row : gate[u"rows"].toArray()) {
            for (const char *member : {"name", "expected", "measured", "tolerance", "z", "ok", "source"})
                QVERIFY2(row.toObject().contains(QLatin1StringView(member)), member);
            const double off = std::abs(row[u"measured"].toDouble() - row[u"expected"].toDouble());
            QCOMPARE(row[u"ok"].toBool(), off <= row[u"tolerance"].toDouble());
        }
    }
}

void ValidateTest::sameSeedSameNumbers()
{
    const auto rowsOf = [](const QString &seed) {
        const auto ran = validate(u"--only aws --reduced --json --seed "_s + seed);
        return QJsonDocument::fromJson(ran.out.toUtf8()).object()[u"gates"][0][u"rows"].toArray();
    };
    const auto first = rowsOf(u"11"_s);
    QVERIFY(!first.isEmpty());
    QCOMPARE(rowsOf(u"11"_s), first);
    QVERIFY(rowsOf(u"12"_s) != first);
}

void ValidateTest::unwritableOutputIsExitOne()
{
    QProcess process;
    process.setStandardOutputFile(u"/dev/full"_s);
    process.start(QStringLiteral(IDEMCTL), {u"validate"_s, u"--only"_s, u"omission"_s});
    const auto ran = end(process);
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.error.contains(u"standard output"_s), qPrintable(ran.error));
}

void ValidateTest::interruptedIsToldWithWhatIsDone()
{
    QProcess process;
    process.start(QStringLiteral(IDEMCTL), {u"validate"_s, u"--reduced"_s});
    QVERIFY(process.waitForReadyRead(patience)); // the first gate is done; the others take ten times as long
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const auto ran = end(process);
    QCOMPARE(ran.code, 130);
    QVERIFY2(ran.error.contains(u"interrupted"_s), qPrintable(ran.error));
    QVERIFY2(ran.out.startsWith(u"aws: "_s) && ran.out.contains(u"399 of 399 ok"_s), qPrintable(ran.out));
    QVERIFY2(ran.out.endsWith(u" rows, 0 failed, seed 1, reduced\n"_s), qPrintable(ran.out));
}

QTEST_GUILESS_MAIN(ValidateTest)
#include "validate_test.moc"
