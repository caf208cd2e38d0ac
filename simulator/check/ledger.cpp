// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/ledger.h"

#include <QtGlobal>

namespace idem::sim {

void Ledger::open([[maybe_unused]] std::uint64_t operation, std::uint32_t client)
{
    Q_ASSERT(operation == m_entries.size());
    m_entries.push_back({.client = client});
}

void Ledger::effect(std::uint64_t operation)
{
    Q_ASSERT(operation < m_entries.size());
    Entry &entry = m_entries[operation];
    ++m_effects;
    ++entry.effects;
    if (entry.effects > 1) {
        ++m_doubles;
    }
    if (entry.effects == 2) {
        ++m_keysDoubled;
    }
    if (entry.effects == 1 && entry.end == ClientEnd::GaveUp) {
        --m_gaveUpWithout;
        ++m_gaveUpWith;
    }
}

void Ledger::end(std::uint64_t operation, ClientEnd how)
{
    Q_ASSERT(operation < m_entries.size());
    Entry &entry = m_entries[operation];
    Q_ASSERT(entry.end == ClientEnd::None && how != ClientEnd::None);
    entry.end = how;
    ++m_ended;
    if (how == ClientEnd::Ok) {
        ++m_ok;
    } else if (how == ClientEnd::Error) {
        ++m_errors;
    } else if (entry.effects > 0) {
        ++m_gaveUpWith;
    } else {
        ++m_gaveUpWithout;
    }
}

void Ledger::report(Counts &counts) const
{
    counts.operations = opened();
    counts.effects = m_effects;
    counts.double_charges = m_doubles;
    counts.keys_double_charged = m_keysDoubled;
    counts.client_ok = m_ok;
    counts.client_failed = m_errors + m_gaveUpWithout;
    counts.client_unknown = m_gaveUpWith;
}

} // namespace idem::sim
