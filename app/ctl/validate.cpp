// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command.h"
#include "simulator/validate/gate.h"

#include <QCommandLineParser>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <functional>
#include <map>
#include <unistd.h>

namespace idem::ctl {

namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

/// The largest seed: JSON's readers keep whole numbers up to 2^53 - 1 (RFC 8259, section 6).
constexpr std::uint64_t maxSeed = (std::uint64_t {1} << 53) - 1;

/// What became of one gate.
struct Ran
{
    const sim::Gate *gate;
    std::vector<sim::GateResult> rows;
    double wallSeconds;
};

bool isOk(const sim::GateResult &row)
{
    return row.ok;
}

/// Draws on standard error, on a terminal only, and wipes itself out at the end.
class Progress
{
public:
    ~Progress()
    {
        if (m_drawn)
            writeError(QStringLiteral("\r\033[K"));
    }

    void draw(QLatin1StringView gate, double fraction)
    {
        static const bool onTerminal = isatty(STDERR_FILENO) == 1;
        if (!onTerminal)
            return;
        constexpr int width = 40;
        const int full = static_cast<int>(fraction * width);
        writeError(QStringLiteral("\r\033[K[%1%2] %3 %  %4")
                       .arg(QString(full, u'#'), QString(width - full, u'.'))
                       .arg(static_cast<int>(fraction * 100), 3)
                       .arg(gate));
        m_drawn = true;
    }

private:
    bool m_drawn = false;
};

Ran run(const sim::Gate &gate, sim::GateOptions options)
{
    Progress progress;
    progress.draw(gate.name, 0);
    options.cancelled = [] { return interrupted.load(); };
    options.progress = [&](double fraction) { progress.draw(gate.name, fraction); };
    const auto start = std::chrono::steady_clock::now();
    auto rows = gate.run(options);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    return {&gate, std::move(rows), wall.count()};
}

QString number(double value)
{
    constexpr int digits = 6;
    return QString::number(value, 'g', digits);
}

QString toLine(const sim::GateResult &row)
{
    const QString z = row.z ? QString::asprintf("%+.2f", *row.z) : QStringLiteral("-");
    return QStringLiteral("  %1 %2 %3 %4 %5  %6\n")
        .arg(row.ok ? QStringLiteral("ok") : QStringLiteral("FAIL"), -4)
        .arg(number(row.expected), 12)
        .arg(number(row.measured), 12)
        .arg(number(row.tolerance), 12)
        .arg(z, 6)
        .arg(row.name);
}

/// One line for all rows of a group that are ok.
QString toLine(const QString &group, const std::vector<const sim::GateResult *> &rows)
{
    double largest = 0;
    for (const auto *row : rows)
        largest = std::max(largest, std::abs(row->z.value_or(0)));
    const auto good = std::count_if(rows.begin(), rows.end(), [](const auto *row) { return row->ok; });
    return QStringLiteral("  %1 %2: %3 of %4 rows ok, largest |z| %5\n")
        .arg(static_cast<std::size_t>(good) == rows.size() ? QStringLiteral("ok") : QStringLiteral("FAIL"), -4)
        .arg(group)
        .arg(good)
        .arg(rows.size())
        .arg(largest, 0, 'f', 2);
}

/// A row each; those of a group in one line, with the failed ones behind it, unless `verbose`.
QString toText(const Ran &ran, bool verbose)
{
    QString text = QStringLiteral("%1: %2\n").arg(ran.gate->name, ran.gate->title);
    text += QStringLiteral("       %1 %2 %3 %4  %5\n")
                .arg(QStringLiteral("expected"), 12)
                .arg(QStringLiteral("measured"), 12)
                .arg(QStringLiteral("tolerance"), 12)
                .arg(QStringLiteral("z"), 6)
                .arg(QStringLiteral("what"));
    std::map<QString, std::vector<const sim::GateResult *>> groups;
    QString single;
    QString failed;
    for (const auto &row : ran.rows) {
        if (row.group.isEmpty() || verbose) {
            single += toLine(row);
            continue;
        }
        groups[row.group].push_back(&row);
        if (!row.ok)
            failed += toLine(row);
    }
    for (const auto &[group, rows] : groups)
        text += toLine(group, rows);
    text += failed + single;
    const auto good = std::count_if(ran.rows.begin(), ran.rows.end(), isOk);
    return text
        + QStringLiteral("  %1 of %2 ok in %3 s\n\n").arg(good).arg(ran.rows.size()).arg(ran.wallSeconds, 0, 'f', 1);
}

QJsonObject toJson(const Ran &ran)
{
    QJsonArray rows;
    for (const auto &row : ran.rows) {
        rows.append(QJsonObject {{QStringLiteral("name"), row.name}, {QStringLiteral("expected"), row.expected},
            {QStringLiteral("measured"), row.measured}, {QStringLiteral("tolerance"), row.tolerance},
            {QStringLiteral("z"), row.z ? QJsonValue(*row.z) : QJsonValue()}, {QStringLiteral("ok"), row.ok},
            {QStringLiteral("source"), row.source}});
    }
    return {{QStringLiteral("name"), ran.gate->name}, {QStringLiteral("title"), ran.gate->title},
        {QStringLiteral("wall_seconds"), ran.wallSeconds}, {QStringLiteral("rows"), rows}};
}

/// How to run and how to tell it.
struct Plan
{
    std::vector<const sim::Gate *> gates;
    sim::GateOptions options;
    bool json = false;
    bool verbose = false;
};

ExitCode validate(const Plan &plan)
{
    std::signal(SIGINT, [](int) { interrupted = true; });
    qsizetype total = 0;
    qsizetype failures = 0;
    QJsonArray gates;
    bool isWritten = true;
    for (const sim::Gate *gate : plan.gates) {
        if (interrupted)
            break;
        const Ran ran = run(*gate, plan.options);
        total += static_cast<qsizetype>(ran.rows.size());
        failures += std::count_if(ran.rows.begin(), ran.rows.end(), std::not_fn(isOk));
        if (plan.json)
            gates.append(toJson(ran));
        else
            isWritten = writeOut(toText(ran, plan.verbose)) && isWritten;
    }
    if (plan.json) {
        const QJsonObject report {{QStringLiteral("version"), QStringLiteral(IDEM_VERSION)},
            {QStringLiteral("seed"), static_cast<qint64>(plan.options.seed)},
            {QStringLiteral("reduced"), plan.options.reduced}, {QStringLiteral("complete"), !interrupted},
            {QStringLiteral("rows"), total}, {QStringLiteral("failures"), failures}, {QStringLiteral("gates"), gates}};
        isWritten = writeOut(QString::fromUtf8(QJsonDocument(report).toJson()));
    } else {
        isWritten = writeOut(QStringLiteral("%1 rows, %2 failed, seed %3%4\n")
                                 .arg(total)
                                 .arg(failures)
                                 .arg(plan.options.seed)
                                 .arg(plan.options.reduced ? QStringLiteral(", reduced") : QString()))
            && isWritten;
    }
    if (!isWritten)
        return fail(ExitCode::CheckFailed, QStringLiteral("cannot write to standard output."));
    if (interrupted)
        return fail(ExitCode::Interrupted, QStringLiteral("interrupted; the report ends where the gates did."));
    return failures == 0 && total > 0 ? ExitCode::Ok : ExitCode::CheckFailed;
}

QString description()
{
    QString text = QStringLiteral("Compares the simulator with published results and closed forms.\n"
                                  "Exit code 1 when a row is off by more than its tolerance.\n\nGates:");
    for (const auto &gate : sim::gates())
        text += QStringLiteral("\n  %1 %2").arg(gate.name, -12).arg(gate.title);
    return text;
}

} // namespace

ExitCode runValidate(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(description());
    const QCommandLineOption reducedOption(QStringLiteral("reduced"),
        QStringLiteral("Takes fewer samples, with tolerances as much wider; under a minute on two cores."));
    const QCommandLineOption seedOption(QStringLiteral("seed"),
        QStringLiteral("Takes this seed instead of 1. By chance alone one seed in some hundreds misses a row."),
        QStringLiteral("N"));
    const QCommandLineOption onlyOption(
        QStringLiteral("only"), QStringLiteral("Runs this gate only; repeatable."), QStringLiteral("NAME"));
    const QCommandLineOption jsonOption(QStringLiteral("json"), QStringLiteral("Prints JSON, with every row."));
    const QCommandLineOption verboseOption(
        QStringLiteral("verbose"), QStringLiteral("Prints the rows of large tables as well."));
    parser.addOptions({reducedOption, seedOption, onlyOption, jsonOption, verboseOption});
    if (const auto over = parse(parser, arguments))
        return *over;
    if (!parser.positionalArguments().isEmpty())
        return fail(ExitCode::Usage, QStringLiteral("validate takes options only. See idemctl validate --help."));

    Plan plan {.gates = {},
        .options = {.reduced = parser.isSet(reducedOption)},
        .json = parser.isSet(jsonOption),
        .verbose = parser.isSet(verboseOption)};
    if (parser.isSet(seedOption)) {
        bool isNumber = false;
        plan.options.seed = parser.value(seedOption).toULongLong(&isNumber);
        if (!isNumber || plan.options.seed > maxSeed)
            return fail(ExitCode::Usage, QStringLiteral("--seed takes a whole number from 0 to %1.").arg(maxSeed));
    }
    const QStringList names = parser.values(onlyOption);
    for (const QString &name : names) {
        if (sim::findGate(name) == nullptr)
            return fail(ExitCode::Usage, QStringLiteral("no gate \"%1\". See idemctl validate --help.").arg(name));
    }
    for (const auto &gate : sim::gates()) {
        if (names.isEmpty() || names.contains(gate.name))
            plan.gates.push_back(&gate);
    }
    return validate(plan);
}

} // namespace idem::ctl
