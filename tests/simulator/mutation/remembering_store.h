// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/forwarding_store.h"

#include <map>

namespace idem::test {

/// Remembers who owned each key last and what was answered, so that a fault can go back on it. Thread-safety: one
/// thread at a time.
class RememberingStore : public sim::ForwardingStore
{
public:
    using sim::ForwardingStore::ForwardingStore;

    void beginAsync(const BeginRequest &request, BeginCallback callback) override;
    Result<Completion> complete(const OwnershipView &owner, const ResponseView &response) override;

protected:
    struct Memory
    {
        Ownership owner {}; ///< the last one
        Response answer {}; ///< status 0: none yet
        Instant answeredAt {};
    };
    /// A begin that is being answered.
    struct Asked
    {
        Identity identity {};
        QByteArray fingerprint {};
        bool waited = false;
    };

    /// What is answered instead of the honest `outcome`; nothing: never.
    virtual std::optional<Outcome> cheat(const Asked &asked, Outcome outcome);

    [[nodiscard]] const std::map<Identity, Memory> &memories() const { return m_memories; }
    [[nodiscard]] const Memory &memory(const IdentityView &identity) { return m_memories[identity.toIdentity()]; }
    /// The honest answer to the same begin, now.
    [[nodiscard]] Outcome beginAgain(const Asked &asked);
    /// Gives the key of a Fresh back as if nobody had asked.
    void giveBack(Outcome outcome);
    /// Puts `response` in the place of whatever the key has.
    void force(const IdentityView &identity, const ResponseView &response);

private:
    std::map<Identity, Memory> m_memories;
};

} // namespace idem::test
