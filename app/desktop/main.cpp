// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/main_window.h"
#include "app/desktop/options.h"
#include "app/desktop/screenshot.h"

#include <QApplication>
#include <QFile>
#include <QSettings>

#include <cstdio>

namespace {

using namespace idem;
using namespace idem::app;
using namespace Qt::StringLiterals;

constexpr int failure = 1;
constexpr int usage = 2;

int complain(const QString &problem, int status)
{
    std::fprintf(stderr, "idemscope: %s\n", qPrintable(problem));
    return status;
}

void setNames()
{
    QCoreApplication::setOrganizationName(u"Idemscope"_s);
    QCoreApplication::setApplicationName(u"idemscope"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(IDEM_VERSION));
    QGuiApplication::setApplicationDisplayName(u"Idemscope"_s);
}

/// The theme of the command line, else the saved one, else the system's.
ThemeChoice themeFor(const Options &options, const QSettings *settings)
{
    if (options.theme) {
        return *options.theme;
    }
    const QString saved = settings != nullptr ? settings->value(u"theme"_s).toString() : QString();
    return themeChoiceFromString(saved).value_or(ThemeChoice::System);
}

QString builtInNames()
{
    QStringList names;
    for (const sim::BuiltIn &builtIn : sim::builtInScenarios()) {
        names += builtIn.name;
    }
    return names.join(u", "_s);
}

int show(const Options &options, const sim::Scenario &scenario)
{
    const bool picture = !options.screenshot.isEmpty();
    QSettings settings;
    QSettings *const kept = picture ? nullptr : &settings;
    const ThemeChoice theme = themeFor(options, kept);
    applyTheme(theme);
    MainWindow window(kept);
    window.setTheme(theme);
    const sim::Seed seed = options.seed ? sim::Seed {*options.seed} : scenario.seed;
    window.simulation().load(scenario, seed, options.scenario);
    if (picture) {
        const auto taken = takeScreenshot(window, options);
        return taken ? EXIT_SUCCESS : complain(taken.error(), failure);
    }
    window.show();
    window.simulation().run();
    return QApplication::exec();
}

} // namespace

int main(int argc, char *argv[])
{
    QStringList arguments;
    for (int i = 0; i < argc; ++i) {
        arguments += QString::fromLocal8Bit(argv[i]);
    }
    // Everything that a terminal can be told is told before a screen is needed.
    const auto options = parseOptions(arguments);
    if (!options) {
        return complain(options.error(), usage);
    }
    if (options->version) {
        std::printf("idemscope %s\n", IDEM_VERSION);
        return EXIT_SUCCESS;
    }
    setNames();
    if (options->help) {
        const QCoreApplication application(argc, argv);
        std::printf("%s", qPrintable(helpText()));
        return EXIT_SUCCESS;
    }
    const auto scenario = SimulationController::find(options->scenario);
    if (!scenario) {
        const bool noFile = !QFile::exists(options->scenario);
        const QString hint = noFile ? u" Built-in scenarios: %1."_s.arg(builtInNames()) : QString();
        return complain(scenario.error().toString() + hint, usage);
    }
    if (!options->screenshot.isEmpty()) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QApplication application(argc, argv);
    return show(*options, *scenario);
}
