// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store.h"

#include <optional>
#include <ostream>

// How a failed expectation shows the store's types (found by argument-dependent look-up).
namespace idem {

inline void PrintTo(OutcomeKind kind, std::ostream *out)
{
    *out << toString(kind).toStdString();
}
inline void PrintTo(State state, std::ostream *out)
{
    *out << toString(state).toStdString();
}
inline void PrintTo(StoreErrorCode code, std::ostream *out)
{
    *out << toString(code).toStdString();
}
inline void PrintTo(EventKind kind, std::ostream *out)
{
    *out << toString(kind).toStdString();
}
inline void PrintTo(Fence fence, std::ostream *out)
{
    *out << "fence " << toNumber(fence);
}

} // namespace idem
