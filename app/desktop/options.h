// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/theme.h"

#include <QSize>
#include <QStringList>

#include <tl/expected.hpp>

#include <chrono>
#include <optional>

namespace idem::app {

/// What the command line asks for.
struct Options
{
    QString scenario = QStringLiteral("first-look"); ///< a built-in's name or a file
    std::optional<std::uint64_t> seed {}; ///< none: the scenario's
    std::optional<ThemeChoice> theme {}; ///< none: the saved one
    QString screenshot {}; ///< a file; empty: none
    QString view = QStringLiteral("main"); ///< of the screenshot
    std::chrono::milliseconds after = std::chrono::milliseconds(3'000); ///< virtual time before the screenshot
    QSize size {1280, 800}; ///< of the screenshot
    bool help = false;
    bool version = false;
};

/// The command line's options, or one sentence on what is wrong. Needs no application object.
[[nodiscard]] tl::expected<Options, QString> parseOptions(const QStringList &arguments);

/// The text of --help. Needs an application object.
[[nodiscard]] QString helpText();

/// The names of --view.
[[nodiscard]] QStringList viewNames();

} // namespace idem::app
