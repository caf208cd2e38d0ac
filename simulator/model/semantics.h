// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/scenario.h"

#include <QStringList>

namespace idem::sim {

/// The semantics that a scenario may run under, "idemscope" first, "none" (no store at all) last.
[[nodiscard]] QStringList semanticsNames();

/// Sets what `name` decides about a store: who owns, what is final, what happens to a lapsed lease and when the store
/// is out of reach. Times to live, leases and waits stay, as far as `name` has a say in them. False for an unknown
/// name; `setup` is unchanged then.
bool applySemantics(QStringView name, StoreSetup &setup);

} // namespace idem::sim
