// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/interrupt.h"

#include <atomic>
#include <csignal>

namespace idem::ctl {

namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

} // namespace

void catchInterrupts()
{
    std::signal(SIGINT, [](int) { interrupted = true; });
}

bool isInterrupted()
{
    return interrupted;
}

} // namespace idem::ctl
