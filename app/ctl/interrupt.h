// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace idem::ctl {

/// From here on Ctrl+C does not end the program; isInterrupted() tells of it.
void catchInterrupts();
/// Thread-safe.
[[nodiscard]] bool isInterrupted();

} // namespace idem::ctl
