// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/store_error.h"

namespace idem {

namespace {

constexpr std::array<QLatin1StringView, 9> codeNames {
    QLatin1StringView("stale-owner"),
    QLatin1StringView("lease-over"),
    QLatin1StringView("different-result"),
    QLatin1StringView("wrong-state"),
    QLatin1StringView("live-owner"),
    QLatin1StringView("fence-mismatch"),
    QLatin1StringView("not-found"),
    QLatin1StringView("invalid"),
    QLatin1StringView("closed"),
};

} // namespace

QString toString(StoreErrorCode code)
{
    return codeNames[static_cast<std::size_t>(code)];
}

} // namespace idem
