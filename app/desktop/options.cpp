// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/options.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QRegularExpression>

namespace idem::app {

using namespace Qt::StringLiterals;

namespace {

struct CommandLine
{
    Q_DECLARE_TR_FUNCTIONS(idem::app::CommandLine)
};

constexpr qlonglong longestAfter = 24LL * 3600 * 1000; // ms
constexpr int largestSide = 8'000;

void describe(QCommandLineParser &parser)
{
    const auto t = [](const char *text) { return CommandLine::tr(text); };
    parser.setApplicationDescription(t("Shows an idempotency-key store under a simulated load."));
    parser.addPositionalArgument(
        u"scenario"_s, t("A built-in scenario's name or a scenario file (default: first-look)."), u"[SCENARIO]"_s);
    parser.addOptions({
        {u"seed"_s, t("Runs with seed <N> instead of the scenario's."), u"N"_s},
        {u"theme"_s, t("Colours: light, dark or system."), u"theme"_s},
        {u"screenshot"_s, t("Writes a picture (PNG) without a screen, and exits."), u"file"_s},
        {u"view"_s, t("What the picture shows: %1.").arg(viewNames().join(u", "_s)), u"name"_s, u"main"_s},
        {u"after"_s, t("Virtual milliseconds before the picture (default 3000)."), u"ms"_s, u"3000"_s},
        {u"size"_s, t("The picture's size in pixels (default 1280x800)."), u"WxH"_s, u"1280x800"_s},
        {{u"h"_s, u"help"_s}, t("Shows this text.")},
        {{u"v"_s, u"version"_s}, t("Shows the version.")},
    });
}

std::optional<QSize> sizeFrom(const QString &text)
{
    static const QRegularExpression form(u"^([0-9]{3,4})x([0-9]{3,4})$"_s);
    const QRegularExpressionMatch match = form.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    const bool fits = match.hasMatch() && size.width() <= largestSide && size.height() <= largestSide;
    return fits ? std::optional(size) : std::nullopt;
}

/// The values that have a form of their own; a sentence when one of them has not.
QString readValues(const QCommandLineParser &parser, Options &options)
{
    bool valid = true;
    if (parser.isSet(u"seed"_s)) {
        options.seed = parser.value(u"seed"_s).toULongLong(&valid);
        if (!valid) {
            return CommandLine::tr("--seed wants a whole number, not “%1”.").arg(parser.value(u"seed"_s));
        }
    }
    if (parser.isSet(u"theme"_s)) {
        options.theme = themeChoiceFromString(parser.value(u"theme"_s));
        if (!options.theme) {
            return CommandLine::tr("--theme is light, dark or system, not “%1”.").arg(parser.value(u"theme"_s));
        }
    }
    const qlonglong after = parser.value(u"after"_s).toLongLong(&valid);
    if (!valid || after < 0 || after > longestAfter) {
        return CommandLine::tr("--after wants milliseconds from 0 to %1, not “%2”.")
            .arg(longestAfter)
            .arg(parser.value(u"after"_s));
    }
    options.after = std::chrono::milliseconds(after);
    const auto size = sizeFrom(parser.value(u"size"_s));
    if (!size) {
        return CommandLine::tr("--size wants a width and a height such as 1280x800, not “%1”.")
            .arg(parser.value(u"size"_s));
    }
    options.size = *size;
    if (!viewNames().contains(options.view)) {
        return CommandLine::tr("There is no view “%1”. The views are %2.").arg(options.view, viewNames().join(u", "_s));
    }
    return {};
}

} // namespace

QStringList viewNames()
{
    return {u"main"_s, u"keys"_s, u"plots"_s, u"stuck"_s, u"events"_s, u"abandon"_s, u"about"_s, u"shortcuts"_s};
}

tl::expected<Options, QString> parseOptions(const QStringList &arguments)
{
    QCommandLineParser parser;
    describe(parser);
    if (!parser.parse(arguments)) {
        return tl::unexpected(parser.errorText());
    }
    Options options;
    options.help = parser.isSet(u"help"_s);
    options.version = parser.isSet(u"version"_s);
    options.screenshot = parser.value(u"screenshot"_s);
    options.view = parser.value(u"view"_s);
    if (parser.positionalArguments().size() > 1) {
        return tl::unexpected(
            CommandLine::tr("One scenario at a time: “%1” is one too many.").arg(parser.positionalArguments().at(1)));
    }
    if (!parser.positionalArguments().isEmpty()) {
        options.scenario = parser.positionalArguments().first();
    }
    if (parser.isSet(u"screenshot"_s) && options.screenshot.isEmpty()) {
        return tl::unexpected(CommandLine::tr("--screenshot wants a file."));
    }
    if (const QString problem = readValues(parser, options); !problem.isEmpty()) {
        return tl::unexpected(problem);
    }
    return options;
}

QString helpText()
{
    QCommandLineParser parser;
    describe(parser);
    return parser.helpText();
}

} // namespace idem::app
