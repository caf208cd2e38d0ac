// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the real idemctl as a person or a script would.

#include "tests/app/ctl/process.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <sys/stat.h>

namespace {

QString scenarioPath(const char *name)
{
    return QStringLiteral(IDEM_SOURCE_DIR "/resources/scenarios/%1.json").arg(QLatin1StringView(name));
}

QString writeFile(const QTemporaryDir &folder, const QString &name, const QByteArray &content)
{
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write a test file");
    return file.fileName();
}

QByteArray baseline()
{
    QFile file(scenarioPath("preset-01-baseline"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The baseline with `from` once replaced by `to`.
QByteArray broken(const char *from, const char *to)
{
    QByteArray text = baseline();
    const auto at = text.indexOf(from);
    if (at < 0)
        qFatal("the baseline has no %s", from);
    return text.replace(at, static_cast<qsizetype>(qstrlen(from)), to);
}

} // namespace

class CtlTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void demoPrintsTheSeedsOwnCheck();
    void helpIsComplete_data();
    void helpIsComplete();
    void wrongUsageIsExitTwo_data();
    void wrongUsageIsExitTwo();
    void jsonReportStandsAlone();
    void jsonReportToAFile();
    void unwritableReportIsToldBeforeTheRun();
    void sameSeedSameTrace();
    void missedExpectationIsExitOne();
    void overridesApply();
    void builtInNamesWork();
    void brokenScenarioIsOneSentence_data();
    void brokenScenarioIsOneSentence();
    void hugeAndSpecialFilesAreRefusedAtOnce();
};

void CtlTest::demoPrintsTheSeedsOwnCheck()
{
    const auto ran = idemctl({QStringLiteral("demo")});
    QCOMPARE(ran.code, 0);
    QCOMPARE(ran.out,
        QStringLiteral("first request: fresh\n"
                       "duplicate while running: in progress\n"
                       "replay: 201 {\"id\":1}\n"
                       "ttl zero: fresh\n"
                       "after abandon: fresh\n"));
    QCOMPARE(ran.error, QString());
}

void CtlTest::helpIsComplete_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QStringList>("words");
    const auto list = [](std::initializer_list<const char *> texts) {
        QStringList result;
        for (const auto *text : texts)
            result << QString::fromLatin1(text);
        return result;
    };
    QTest::newRow("program") << list({"--help"})
                             << list({"demo", "scenarios", "simulate", "replay", "compare", "sweep", "validate",
                                    "Exit codes", "0 ok", "1 a check failed", "2 usage", "3 connection", "4 refused",
                                    "5 conflict"});
    QTest::newRow("demo") << list({"demo", "--help"}) << list({"Usage:", "demo", "TTL 0"});
    QTest::newRow("simulate") << list({"simulate", "--help"})
                              << list({"--seed", "--set", "path=value", "--json", "--csv", "--html", "--record",
                                     "--check-determinism", "--list", "FILE", "Ctrl+C"});
    QTest::newRow("scenarios") << list({"scenarios", "--help"}) << list({"Usage:", "scenarios", "built-in"});
    QTest::newRow("replay") << list({"replay", "--help"}) << list({"FILE", "--record", "another version"});
    QTest::newRow("compare") << list({"compare", "--help"})
                             << list({"--semantics", "stripe-v1", "none", "--seed", "--set", "--json", "--csv"});
    QTest::newRow("sweep") << list({"sweep", "--help"})
                           << list({"--grid", "--seeds", "--jobs", "--count", "--seed", "--set", "--json", "--csv"});
}

void CtlTest::helpIsComplete()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QStringList, words);
    const auto ran = idemctl(arguments);
    QCOMPARE(ran.code, 0);
    QCOMPARE(ran.error, QString());
    for (const auto &word : words)
        QVERIFY2(ran.out.contains(word), qPrintable(word + u'\n' + ran.out));
}

void CtlTest::wrongUsageIsExitTwo_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("named");
    QTest::newRow("nothing") << QString() << QStringLiteral("Usage");
    QTest::newRow("unknown command") << QStringLiteral("dmeo") << QStringLiteral("\"dmeo\"");
    QTest::newRow("unknown option") << QStringLiteral("demo --fast") << QStringLiteral("fast");
    QTest::newRow("no scenario") << QStringLiteral("simulate") << QStringLiteral("one scenario");
    QTest::newRow("two scenarios") << QStringLiteral("simulate a b") << QStringLiteral("one scenario");
    QTest::newRow("no such file") << QStringLiteral("simulate no-such.json") << QStringLiteral("no-such.json");
    QTest::newRow("bad seed") << QStringLiteral("simulate preset-01-baseline --seed x") << QStringLiteral("--seed");
    QTest::newRow("negative seed") << QStringLiteral("simulate preset-01-baseline --seed=-1")
                                   << QStringLiteral("--seed");
    QTest::newRow("seed that JSON cannot hold")
        << QStringLiteral("simulate preset-01-baseline --seed 9007199254740992") << QStringLiteral("--seed");
    QTest::newRow("set without value") << QStringLiteral("simulate preset-01-baseline --set clients.count")
                                       << QStringLiteral("clients.count");
    QTest::newRow("set of an unknown member")
        << QStringLiteral("simulate preset-01-baseline --set clients.cuont=3") << QStringLiteral("cuont");
    QTest::newRow("two outputs to standard output")
        << QStringLiteral("simulate preset-01-baseline --json - --csv -") << QStringLiteral("standard output");
    QTest::newRow("page in no folder") << QStringLiteral("simulate preset-01-baseline --html /no/such/page.html")
                                       << QStringLiteral("/no/such/page.html");
    QTest::newRow("argument for scenarios") << QStringLiteral("scenarios first-look") << QStringLiteral("first-look");
    QTest::newRow("no recording") << QStringLiteral("replay") << QStringLiteral("one recording");
    QTest::newRow("no such recording") << QStringLiteral("replay no-such.jsonl") << QStringLiteral("no-such.jsonl");
    QTest::newRow("nothing to compare") << QStringLiteral("compare") << QStringLiteral("one scenario");
    QTest::newRow("unknown semantics") << QStringLiteral("compare preset-01-baseline --semantics none,strpe-v1")
                                       << QStringLiteral("--semantics: there are no semantics called \"strpe-v1\"");
    QTest::newRow("empty semantics") << QStringLiteral("compare preset-01-baseline --semantics none,")
                                     << QStringLiteral("--semantics");
    QTest::newRow("nothing to sweep") << QStringLiteral("sweep") << QStringLiteral("one scenario");
    QTest::newRow("no axis") << QStringLiteral("sweep preset-01-baseline --grid clients.count")
                             << QStringLiteral("--grid: an axis must look like path=v1,v2, not \"clients.count\"");
    QTest::newRow("bad cell") << QStringLiteral("sweep preset-01-baseline --grid clients.count=1,-7")
                              << QStringLiteral("clients.count=-7");
    QTest::newRow("unknown count") << QStringLiteral("sweep preset-01-baseline --count replay")
                                   << QStringLiteral("did you mean replays?");
    QTest::newRow("no seeds") << QStringLiteral("sweep preset-01-baseline --seeds 0") << QStringLiteral("--seeds");
    QTest::newRow("bad jobs") << QStringLiteral("sweep preset-01-baseline --jobs many")
                              << QStringLiteral("--jobs takes a whole number from 1 to 64, not \"many\"");
}

void CtlTest::wrongUsageIsExitTwo()
{
    QFETCH(const QString, arguments);
    QFETCH(const QString, named);
    const auto ran = idemctl(arguments.split(u' ', Qt::SkipEmptyParts));
    QCOMPARE(ran.code, 2);
    QCOMPARE(ran.out, QString());
    QVERIFY2(ran.error.contains(named), qPrintable(ran.error));
}

void CtlTest::jsonReportStandsAlone()
{
    const auto ran = idemctl({QStringLiteral("simulate"), scenarioPath("preset-01-baseline"), QStringLiteral("--seed"),
        QStringLiteral("7"), QStringLiteral("--json"), QStringLiteral("-")});
    QCOMPARE(ran.code, 0);
    QVERIFY(!ran.error.isEmpty());
    QJsonParseError problem;
    const auto report = QJsonDocument::fromJson(ran.out.toUtf8(), &problem).object();
    QCOMPARE(problem.error, QJsonParseError::NoError);
    for (const char *member : {"seed", "trace_hash", "virtual_seconds", "wall_seconds", "events", "expected", "counts"})
        QVERIFY2(report.contains(QLatin1StringView(member)), member);
    QCOMPARE(report[u"seed"].toInteger(), 7);
    const auto counts = report[u"counts"].toObject();
    for (const char *name : {"operations", "attempts", "arrivals", "executions", "effects", "fresh", "replays",
             "conflicts", "mismatches", "double_charges", "keys_double_charged", "stale_completes", "stuck_keys",
             "client_ok", "client_failed", "client_unknown"})
        QVERIFY2(counts.contains(QLatin1StringView(name)), name);
    // Preset 1, exact for every seed: 1,000 operations, one attempt and one execution each.
    QCOMPARE(counts[u"attempts"].toInteger(), 1000);
    QCOMPARE(counts[u"executions"].toInteger(), 1000);
    QCOMPARE(counts[u"client_ok"].toInteger(), 1000);
    QCOMPARE(counts[u"replays"].toInteger(), 0);
}

void CtlTest::jsonReportToAFile()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("report.json"));
    const auto ran =
        idemctl({QStringLiteral("simulate"), scenarioPath("preset-01-baseline"), QStringLiteral("--json"), path});
    QCOMPARE(ran.code, 0);
    QVERIFY(ran.out.contains(QStringLiteral("attempts")));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(QJsonDocument::fromJson(file.readAll()).isObject());
}

void CtlTest::unwritableReportIsToldBeforeTheRun()
{
    const auto ran = idemctl({QStringLiteral("simulate"), scenarioPath("preset-01-baseline"), QStringLiteral("--json"),
        QStringLiteral("/no/such/folder/report.json")});
    QCOMPARE(ran.code, 2);
    QCOMPARE(ran.out, QString());
    QVERIFY2(ran.error.contains(QStringLiteral("/no/such/folder/report.json")), qPrintable(ran.error));
}

void CtlTest::sameSeedSameTrace()
{
    const auto hash = [](const char *seed) {
        const auto ran = idemctl({QStringLiteral("simulate"), QStringLiteral("first-look"), QStringLiteral("--set"),
            QStringLiteral("duration_ms=60000"), QStringLiteral("--seed"), QString::fromLatin1(seed),
            QStringLiteral("--json"), QStringLiteral("-")});
        return QJsonDocument::fromJson(ran.out.toUtf8()).object()[u"trace_hash"].toString();
    };
    const QString first = hash("5");
    QCOMPARE(first.size(), 16);
    QCOMPARE(hash("5"), first);
    QVERIFY(hash("6") != first);
}

void CtlTest::missedExpectationIsExitOne()
{
    const auto ran = idemctl({QStringLiteral("simulate"), scenarioPath("preset-01-baseline"), QStringLiteral("--set"),
        QStringLiteral("clients.operations=999")});
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.out.contains(QStringLiteral("FAIL")), qPrintable(ran.out));
}

void CtlTest::overridesApply()
{
    const auto ran = idemctl({QStringLiteral("simulate"), scenarioPath("preset-01-baseline"), QStringLiteral("--set"),
        QStringLiteral("clients.operations=25"), QStringLiteral("--set"), QStringLiteral("expected=[]"),
        QStringLiteral("--json"), QStringLiteral("-")});
    QCOMPARE(ran.code, 0);
    const auto report = QJsonDocument::fromJson(ran.out.toUtf8()).object();
    QCOMPARE(report[u"counts"].toObject()[u"operations"].toInteger(), 25);
}

void CtlTest::builtInNamesWork()
{
    const auto list = idemctl({QStringLiteral("simulate"), QStringLiteral("--list")});
    QCOMPARE(list.code, 0);
    QVERIFY(list.out.startsWith(QStringLiteral("first-look ")));
    QVERIFY(list.out.contains(QStringLiteral("preset-05-")));
    const auto ran = idemctl({QStringLiteral("simulate"), QStringLiteral("preset-01-baseline")});
    QCOMPARE(ran.code, 0);
}

void CtlTest::brokenScenarioIsOneSentence_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("named");
    const auto words = [](const char *text) { return QString::fromLatin1(text).split(u'|'); };
    QTest::newRow("unknown member") << broken("\"operations\"", "\"oprations\": 1, \"operations\"")
                                    << words("oprations|line");
    QTest::newRow("wrong type") << broken("\"clients\": {", "\"clients\": 7, \"x\": {") << words("clients|line");
    QTest::newRow("negative duration") << broken("\"timeout_ms\": ", "\"timeout_ms\": -") << words("timeout_ms|line");
    QTest::newRow("trailing comma") << broken("\n}", ",\n}\n") << words("line");
    QTest::newRow("empty") << QByteArray() << words("empty");
    QTest::newRow("spaces") << QByteArray(1'000'000, ' ') << words("line");
    QTest::newRow("not JSON") << QByteArray("clients: 3\n") << words("line 1");
    QTest::newRow("cut off") << baseline().left(baseline().size() / 2) << words("line");
}

void CtlTest::brokenScenarioIsOneSentence()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QStringList, named);
    const QTemporaryDir folder;
    const QString path = writeFile(folder, QStringLiteral("broken.json"), text);
    const auto ran = idemctl({QStringLiteral("simulate"), path});
    QCOMPARE(ran.code, 2);
    QCOMPARE(ran.out, QString());
    QCOMPARE(ran.error.count(u'\n'), 1);
    QVERIFY2(ran.error.contains(QStringLiteral("broken.json")), qPrintable(ran.error));
    for (const auto &word : named)
        QVERIFY2(ran.error.contains(word), qPrintable(ran.error));
}

void CtlTest::hugeAndSpecialFilesAreRefusedAtOnce()
{
    const QTemporaryDir folder;
    // Sparse: only its size is 2 GB, which is all that may be looked at.
    const QString huge = writeFile(folder, QStringLiteral("huge.json"), QByteArray(1'000'000, ' '));
    QVERIFY(QFile::resize(huge, 2'000'000'000));
    const QString fifo = folder.filePath(QStringLiteral("fifo"));
    QCOMPARE(mkfifo(qPrintable(fifo), 0600), 0);
    for (const QString &path : {huge, fifo, folder.path(), QStringLiteral("/dev/zero")}) {
        const auto ran = idemctl({QStringLiteral("simulate"), path});
        QVERIFY2(ran.code == 2, qPrintable(path + u' ' + ran.error));
        QCOMPARE(ran.error.count(u'\n'), 1);
    }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // whose own memory is larger than the program's
    // The largest child so far, idemctl's runs among them, in kilobytes: far from the file's 2 GB.
    rusage usage {};
    QCOMPARE(getrusage(RUSAGE_CHILDREN, &usage), 0);
    QVERIFY2(usage.ru_maxrss < 300'000, qPrintable(QString::number(usage.ru_maxrss)));
#endif
}

QTEST_GUILESS_MAIN(CtlTest)
#include "ctl_test.moc"
