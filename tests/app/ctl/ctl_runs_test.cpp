// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What idemctl makes of runs: files, recordings, comparisons, sweeps, and what Ctrl+C leaves of them.
#include "tests/app/ctl/process.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <csignal>

namespace {

QStringList words(const char *text)
{
    return QString::fromLatin1(text).split(u' ', Qt::SkipEmptyParts);
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Whether the process has a handler of its own for SIGINT, as the system tells (proc(5), SigCgt).
bool catchesInterrupts(qint64 process)
{
    const QByteArray status = contentOf(QStringLiteral("/proc/%1/status").arg(process));
    const auto at = status.indexOf("SigCgt:");
    return at >= 0 && (status.mid(at + 7, 17).trimmed().toULongLong(nullptr, 16) >> (SIGINT - 1) & 1U) != 0;
}

/// Runs idemctl with `arguments` and `--csv FILE` in `folder`, and interrupts it as soon as it knows Ctrl+C.
Ran interrupted(const QTemporaryDir &folder, const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(IDEMCTL),
        arguments + QStringList {QStringLiteral("--csv"), folder.filePath(QStringLiteral("out.csv"))});
    if (!process.waitForStarted(60'000))
        return {};
    const bool isAtWork = QTest::qWaitFor(
        [&] { return catchesInterrupts(process.processId()) || process.state() == QProcess::NotRunning; }, 60'000);
    if (isAtWork)
        kill(static_cast<pid_t>(process.processId()), SIGINT);
    if (!process.waitForFinished(120'000)) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
        QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class CtlRunsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scenariosListsTheBuiltInOnes();
    void everyFileIsWritten();
    void csvToStandardOutputStandsAlone();
    void aRunIsDeterministic();
    void aRecordingReplays();
    void aRecordingOfAnotherVersionSaysSo();
    void aDamagedRecordingIsOneSentenceWithItsLine();
    void compareTabulatesAllSemantics();
    void sweepTabulatesTheGrid();
    void interruptedRunReportsWhatThereIs();
    void interruptedSweepKeepsItsCells();
    void interruptedCompareSaysSo();
};

void CtlRunsTest::scenariosListsTheBuiltInOnes()
{
    const auto ran = idemctl({QStringLiteral("scenarios")});
    QCOMPARE(ran.code, 0);
    QVERIFY(ran.out.startsWith(QStringLiteral("first-look ")));
    QCOMPARE(idemctl(words("simulate --list")).out, ran.out);
}

void CtlRunsTest::everyFileIsWritten()
{
    const QTemporaryDir folder;
    const auto ran = idemctl(words("simulate preset-05-impatient-client --html")
        << folder.filePath(QStringLiteral("r.html")) << QStringLiteral("--csv")
        << folder.filePath(QStringLiteral("r.csv")) << QStringLiteral("--json")
        << folder.filePath(QStringLiteral("r.json")));
    QVERIFY2(ran.code == 0, qPrintable(ran.error));
    QVERIFY(ran.out.contains(QStringLiteral("All expectations hold.")));
    QXmlStreamReader page(contentOf(folder.filePath(QStringLiteral("r.html"))));
    int drawings = 0;
    while (!page.atEnd())
        drawings += page.readNext() == QXmlStreamReader::StartElement && page.name() == u"svg" ? 1 : 0;
    QVERIFY2(!page.hasError(), qPrintable(page.errorString()));
    QCOMPARE(drawings, 2); // 1000 operations are too many for a sequence
    // The last operation begins at 999 ms and takes 540 ms: a line for the first second, and one for the end.
    const auto lines = contentOf(folder.filePath(QStringLiteral("r.csv"))).split('\n');
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines[0].startsWith("virtual_s,operations,attempts,"));
    QVERIFY(lines[1].startsWith("1,1000,"));
    QVERIFY(lines[2].startsWith("1.539,1000,5000,"));
    const auto report = QJsonDocument::fromJson(contentOf(folder.filePath(QStringLiteral("r.json")))).object();
    QCOMPARE(report[u"measures"].toObject()[u"latency_p50_ms"].toDouble(), 540.0);
}

void CtlRunsTest::csvToStandardOutputStandsAlone()
{
    const auto ran = idemctl(words("simulate preset-05-impatient-client --csv -"));
    QCOMPARE(ran.code, 0);
    QCOMPARE(ran.out.count(u'\n'), 3);
    QVERIFY(ran.error.contains(QStringLiteral("All expectations hold.")));
}

void CtlRunsTest::aRunIsDeterministic()
{
    const auto ran = idemctl(words("simulate preset-05-impatient-client --check-determinism"));
    QCOMPARE(ran.code, 0);
    QVERIFY2(ran.out.endsWith(QStringLiteral("Deterministic: a second run had the same trace and counts.\n")),
        qPrintable(ran.out));
}

void CtlRunsTest::aRecordingReplays()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("run.jsonl"));
    const auto made = idemctl(words("simulate preset-03-lost-answer-keys-on --seed 9 --set clients.operations=500 "
                                    "--set expected=[] --record")
        << path);
    QCOMPARE(made.code, 0);
    const auto again = idemctl({QStringLiteral("replay"), path});
    QVERIFY2(again.code == 0, qPrintable(again.error));
    QVERIFY2(again.out.startsWith(QStringLiteral("preset-03-lost-answer-keys-on, seed 9: the same trace ")),
        qPrintable(again.out));
    // What was recorded of another run is found.
    QByteArray text = contentOf(path);
    const auto at = text.indexOf("\"seed\":9,\"scenario\"");
    QVERIFY(at > 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.replace(at, 8, "\"seed\":8"));
    file.close();
    const auto other = idemctl({QStringLiteral("replay"), path});
    QCOMPARE(other.code, 1);
    QVERIFY2(other.out.contains(QStringLiteral("trace: ")), qPrintable(other.out));
    QVERIFY(other.error.contains(QStringLiteral("differs from the recording")));
}

void CtlRunsTest::aRecordingOfAnotherVersionSaysSo()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("run.jsonl"));
    QCOMPARE(idemctl(words("simulate preset-01-baseline --record") << path).code, 0);
    QByteArray text = contentOf(path);
    const auto at = text.indexOf("\"" IDEM_VERSION "\"");
    QVERIFY(at > 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.replace(at, static_cast<qsizetype>(qstrlen("\"" IDEM_VERSION "\"")), "\"0.0.9\""));
    file.close();
    const auto ran = idemctl({QStringLiteral("replay"), path});
    QCOMPARE(ran.code, 0);
    QVERIFY2(ran.error.contains(QStringLiteral("recorded by version 0.0.9")), qPrintable(ran.error));
}

void CtlRunsTest::aDamagedRecordingIsOneSentenceWithItsLine()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("run.jsonl"));
    QCOMPARE(idemctl(words("simulate preset-01-baseline --record") << path).code, 0);
    QVERIFY(QFile::resize(path, QFile(path).size() - 20));
    const auto ran = idemctl({QStringLiteral("replay"), path});
    QCOMPARE(ran.code, 2);
    QCOMPARE(ran.out, QString());
    QCOMPARE(ran.error.count(u'\n'), 1);
    QVERIFY2(ran.error.contains(QStringLiteral("run.jsonl, line 2, column")), qPrintable(ran.error));
}

void CtlRunsTest::compareTabulatesAllSemantics()
{
    const auto all = idemctl(words("compare preset-05-impatient-client --set clients.operations=20 --seed 4"));
    QCOMPARE(all.code, 0);
    QVERIFY(all.out.contains(QStringLiteral("seed 4")));
    for (const char *name : {"idemscope", "ietf-strict", "stripe-v1", "powertools", "seed-rust", "seed-go", "none"})
        QVERIFY2(all.out.contains(u'\n' + QString::fromLatin1(name) + u' '), name);
    const auto two = idemctl(
        words("compare preset-05-impatient-client --set clients.operations=20 --semantics none,idemscope --csv -"));
    QCOMPARE(two.code, 0);
    const QStringList lines = two.out.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].startsWith(QStringLiteral("semantics,double_charges,")));
    // Without a store each of 20 attempts charges: 19 too many for each of 20 operations, and no answer comes in time.
    QVERIFY2(lines[1].startsWith(QStringLiteral("none,380,0,0,0,0,0,0,20,0,")), qPrintable(lines[1]));
    QVERIFY2(lines[2].startsWith(QStringLiteral("idemscope,0,0,0,0,0,20,0,0,20,0")), qPrintable(lines[2]));
    const auto json =
        idemctl(words("compare preset-05-impatient-client --set clients.operations=20 --semantics none --json -"));
    QCOMPARE(QJsonDocument::fromJson(json.out.toUtf8()).object()[u"rows"].toArray().size(), 1);
}

void CtlRunsTest::sweepTabulatesTheGrid()
{
    const auto ran = idemctl(words("sweep preset-05-impatient-client --set clients.operations=10 "
                                   "--grid clients.retry.max_attempts=1,5 --grid clients.count=1,2 --seeds 3 --jobs 2 "
                                   "--count attempts --count client_ok --csv -"));
    QVERIFY2(ran.code == 0, qPrintable(ran.error));
    QCOMPARE(ran.out,
        QStringLiteral("clients.retry.max_attempts,clients.count,attempts,attempts sd,client_ok,client_ok sd\n"
                       "1,1,10,0,0,0\n"
                       "1,2,10,0,0,0\n"
                       "5,1,50,0,10,0\n"
                       "5,2,50,0,10,0\n"));
    QVERIFY2(ran.error.contains(QStringLiteral("4 of 4 cells, 3 seeds each")), qPrintable(ran.error));
    const auto table = idemctl(words("sweep preset-05-impatient-client --set clients.operations=10 --count replays"));
    QCOMPARE(table.code, 0);
    QVERIFY2(table.out.contains(QStringLiteral("1 of 1 cells, 1 seeds each")), qPrintable(table.out));
}

void CtlRunsTest::interruptedRunReportsWhatThereIs()
{
    const QTemporaryDir folder;
    // Three million operations take far longer than the interrupt.
    const auto ran = interrupted(folder,
        words("simulate preset-01-baseline --set clients.operations=3000000 --set expected=[] "
              "--set store.ttl_ms=1000"));
    QVERIFY2(ran.code == 130, qPrintable(ran.error));
    QVERIFY2(ran.out.contains(QStringLiteral("Stopped before its end")), qPrintable(ran.out));
    QVERIFY(ran.error.contains(QStringLiteral("interrupted")));
    QVERIFY(contentOf(folder.filePath(QStringLiteral("out.csv"))).startsWith("virtual_s,"));
}

void CtlRunsTest::interruptedSweepKeepsItsCells()
{
    const QTemporaryDir folder;
    const auto ran = interrupted(folder,
        words("sweep preset-01-baseline --set store.ttl_ms=1000 --grid clients.operations=10,3000000 "
              "--count attempts --jobs 1"));
    QVERIFY2(ran.code == 130, qPrintable(ran.error));
    QVERIFY2(ran.error.contains(QStringLiteral("the table is partial: ")), qPrintable(ran.error));
    QVERIFY2(ran.out.contains(QStringLiteral(" of 2 cells")), qPrintable(ran.out));
    QVERIFY(contentOf(folder.filePath(QStringLiteral("out.csv"))).startsWith("clients.operations,attempts,"));
}

void CtlRunsTest::interruptedCompareSaysSo()
{
    const QTemporaryDir folder;
    const auto ran = interrupted(
        folder, words("compare preset-01-baseline --set store.ttl_ms=1000 --set clients.operations=3000000"));
    QVERIFY2(ran.code == 130, qPrintable(ran.error));
    QVERIFY2(ran.error.contains(QStringLiteral("the table is partial")), qPrintable(ran.error));
}

QTEST_GUILESS_MAIN(CtlRunsTest)
#include "ctl_runs_test.moc"
