// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/palette.h"

#include <optional>

namespace idem::app {

enum class ThemeChoice : std::uint8_t { System, Light, Dark };

/// "system", "light" and "dark", on the command line and in the settings.
[[nodiscard]] QString toString(ThemeChoice choice);
[[nodiscard]] std::optional<ThemeChoice> themeChoiceFromString(QStringView text);

/// Puts the theme on the whole application: the Fusion style with one of two palettes. The system's choice is read from
/// the lightness of the palette that the application started with, remembered at the first call.
void applyTheme(ThemeChoice choice);
/// The theme that is on.
[[nodiscard]] Theme currentTheme();

} // namespace idem::app
