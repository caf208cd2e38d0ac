// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/outcome.h"

#include <array>

namespace idem {

namespace {

constexpr std::array<QLatin1StringView, OutcomeKindCount> outcomeNames {
    QLatin1StringView("fresh"),
    QLatin1StringView("in_progress"),
    QLatin1StringView("replay"),
    QLatin1StringView("mismatch"),
    QLatin1StringView("unknown"),
    QLatin1StringView("not_stored"),
    QLatin1StringView("rejected"),
};

constexpr std::array<QLatin1StringView, 8> rejectNames {
    QLatin1StringView("key-missing"),
    QLatin1StringView("key-too-long"),
    QLatin1StringView("key-too-short"),
    QLatin1StringView("key-malformed"),
    QLatin1StringView("text-too-long"),
    QLatin1StringView("at-capacity"),
    QLatin1StringView("closed"),
    QLatin1StringView("unavailable"),
};

} // namespace

QString toString(OutcomeKind kind)
{
    return outcomeNames[static_cast<std::size_t>(kind)];
}

QString toString(RejectReason reason)
{
    return rejectNames[static_cast<std::size_t>(reason)];
}

} // namespace idem
