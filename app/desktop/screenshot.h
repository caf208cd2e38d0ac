// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/options.h"

#include <tl/expected.hpp>

namespace idem::app {

class MainWindow;

/// Advances the window's run by the time asked for and writes the view asked for as a PNG; a sentence when that fails.
[[nodiscard]] tl::expected<void, QString> takeScreenshot(MainWindow &window, const Options &options);

} // namespace idem::app
