// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command.h"
#include "simulator/scenario/load.h"
#include "simulator/scenario/report.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>

#include <atomic>
#include <chrono>
#include <csignal>
#include <unistd.h>

namespace idem::ctl {

namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

/// Draws on standard error, on a terminal only, and wipes itself out at the end.
class ProgressBar
{
public:
    ~ProgressBar()
    {
        if (m_drawn)
            writeError(QStringLiteral("\r\033[K"));
    }

    void draw(double fraction, double virtualSeconds)
    {
        static const bool onTerminal = isatty(STDERR_FILENO) == 1;
        if (!onTerminal)
            return;
        constexpr int width = 40;
        const int full = static_cast<int>(fraction * width);
        writeError(QStringLiteral("\r[%1%2] %3 %  %4 s of virtual time")
                       .arg(QString(full, u'#'), QString(width - full, u'.'))
                       .arg(static_cast<int>(fraction * 100), 3)
                       .arg(virtualSeconds, 0, 'f', 1));
        m_drawn = true;
    }

private:
    bool m_drawn = false;
};

/// To the end, or until somebody presses Ctrl+C.
void runToEnd(sim::Run &run)
{
    using namespace std::chrono;
    constexpr std::uint64_t slice = 10'000;
    ProgressBar bar;
    auto drawn = steady_clock::now();
    while (!run.isFinished() && !interrupted) {
        run.run(slice);
        if (const auto now = steady_clock::now(); now - drawn > 100ms) {
            bar.draw(run.progress(), duration<double>(run.elapsed()).count());
            drawn = now;
        }
    }
}

/// A file, or the name of a built-in scenario where there is no such file.
tl::expected<sim::Scenario, sim::ScenarioError> load(const QString &name, const QStringList &overrides)
{
    if (!QFileInfo::exists(name)) {
        for (const auto &builtIn : sim::builtInScenarios()) {
            if (builtIn.name == name)
                return sim::loadBuiltIn(name, overrides);
        }
    }
    return sim::loadScenario(name, overrides);
}

ExitCode listScenarios()
{
    QString text;
    for (const auto &builtIn : sim::builtInScenarios())
        text += QStringLiteral("%1 %2\n").arg(builtIn.name, -44).arg(builtIn.title);
    return writeOut(text) ? ExitCode::Ok : ExitCode::CheckFailed;
}

/// Where the JSON report goes: nowhere, to standard output, or to a file, which is opened before the run, so that a
/// long one is not lost on a wrong path.
class JsonSink
{
public:
    explicit JsonSink(const QString &target)
        : m_standardOutput(target == QStringLiteral("-"))
        , m_file(target)
    {
    }

    [[nodiscard]] bool takesStandardOutput() const { return m_standardOutput; }

    bool open() { return m_standardOutput || m_file.fileName().isEmpty() || m_file.open(QIODevice::WriteOnly); }

    bool write(const sim::Report &report)
    {
        const QByteArray json = QJsonDocument(sim::toJson(report)).toJson();
        if (m_standardOutput)
            return writeOut(QString::fromUtf8(json));
        return !m_file.isOpen() || (m_file.write(json) == json.size() && m_file.commit());
    }

    [[nodiscard]] QString problem() const
    {
        return m_standardOutput ? QStringLiteral("cannot write to standard output.")
                                : QStringLiteral("cannot write %1: %2.").arg(m_file.fileName(), m_file.errorString());
    }

private:
    bool m_standardOutput;
    QSaveFile m_file;
};

ExitCode simulate(const sim::Scenario &scenario, sim::Seed seed, JsonSink &json)
{
    std::signal(SIGINT, [](int) { interrupted = true; });
    const auto start = std::chrono::steady_clock::now();
    sim::Run run(scenario, seed);
    runToEnd(run);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;

    const sim::Report report = sim::makeReport(run, wall.count(), QStringLiteral(IDEM_VERSION));
    const QString text = sim::toText(report);
    if (!(json.takesStandardOutput() ? writeError(text) : writeOut(text)) || !json.write(report))
        return fail(ExitCode::CheckFailed, json.problem());
    if (!report.complete)
        return fail(ExitCode::Interrupted, QStringLiteral("interrupted; the report ends where the run did."));
    return report.ok() ? ExitCode::Ok : ExitCode::CheckFailed;
}

} // namespace

ExitCode runSimulate(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Runs a scenario in virtual time against the production store and reports what happened.\n"
                       "Exit code 1 when a count that the scenario expects is missed."));
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("A scenario file, or a name from --list."));
    const QCommandLineOption seedOption(
        QStringLiteral("seed"), QStringLiteral("Takes this seed instead of the scenario's."), QStringLiteral("N"));
    const QCommandLineOption setOption(QStringLiteral("set"),
        QStringLiteral("Overrides a member, for example clients.retry.max_attempts=4 or faults.0.probability=0.3; "
                       "repeatable."),
        QStringLiteral("path=value"));
    const QCommandLineOption jsonOption(QStringLiteral("json"),
        QStringLiteral("Writes the report as JSON to OUT; with - to standard output, and all else to standard error."),
        QStringLiteral("OUT"));
    const QCommandLineOption listOption(QStringLiteral("list"), QStringLiteral("Lists the built-in scenarios."));
    parser.addOptions({seedOption, setOption, jsonOption, listOption});
    if (const auto over = parse(parser, arguments))
        return *over;
    if (parser.isSet(listOption))
        return listScenarios();
    const QStringList files = parser.positionalArguments();
    if (files.size() != 1)
        return fail(ExitCode::Usage, QStringLiteral("simulate takes one scenario. See idemctl simulate --help."));

    const auto scenario = load(files.constFirst(), parser.values(setOption));
    if (!scenario)
        return fail(ExitCode::Usage, scenario.error().toString());
    sim::Seed seed = scenario->seed;
    if (parser.isSet(seedOption)) {
        bool isNumber = false;
        seed = sim::Seed {parser.value(seedOption).toULongLong(&isNumber)};
        if (!isNumber || static_cast<std::uint64_t>(seed) > sim::maxSeed)
            return fail(ExitCode::Usage, QStringLiteral("--seed takes a whole number from 0 to %1.").arg(sim::maxSeed));
    }
    JsonSink json(parser.value(jsonOption));
    if (!json.open())
        return fail(ExitCode::Usage, json.problem());
    return simulate(*scenario, seed, json);
}

} // namespace idem::ctl
