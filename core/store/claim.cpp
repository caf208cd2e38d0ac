// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/claim.h"

#include "core/store/store.h"

namespace idem {

Claim::Claim(Store &store, Ownership ownership, std::optional<Instant> leaseEnd)
    : m_store(&store)
    , m_ownership(std::move(ownership))
    , m_leaseEnd(leaseEnd)
{
}

Claim::Claim(Claim &&other) noexcept
    : m_store(std::exchange(other.m_store, nullptr))
    , m_ownership(std::move(other.m_ownership))
    , m_leaseEnd(other.m_leaseEnd)
    , m_sideEffect(other.m_sideEffect)
{
}

Claim &Claim::operator=(Claim &&other) noexcept
{
    if (this != &other) {
        leave();
        m_store = std::exchange(other.m_store, nullptr);
        m_ownership = std::move(other.m_ownership);
        m_leaseEnd = other.m_leaseEnd;
        m_sideEffect = other.m_sideEffect;
    }
    return *this;
}

Claim::~Claim()
{
    leave();
}

void Claim::leave()
{
    Store *store = std::exchange(m_store, nullptr);
    if (!store) {
        return;
    }
    // A refusal means that somebody else ended the ownership: nothing is left to do.
    if (m_sideEffect) {
        static_cast<void>(store->markUnknown(m_ownership));
    } else {
        static_cast<void>(store->release(m_ownership));
    }
}

Result<Completion> Claim::complete(Response response)
{
    Q_ASSERT(isActive());
    Result<Completion> result = m_store->complete(m_ownership, std::move(response));
    if (!result && result.error().code == StoreErrorCode::Invalid) {
        leave(); // the response was at fault, the key is still held
    }
    m_store = nullptr;
    return result;
}

Result<Completion> Claim::fail(const QString &reason)
{
    Q_ASSERT(isActive());
    return std::exchange(m_store, nullptr)->fail(m_ownership, reason);
}

Result<void> Claim::release()
{
    Q_ASSERT(isActive());
    return std::exchange(m_store, nullptr)->release(m_ownership);
}

Result<std::optional<Instant>> Claim::renew()
{
    Q_ASSERT(isActive());
    auto result = m_store->renew(m_ownership);
    if (result) {
        m_leaseEnd = *result;
    }
    return result;
}

Result<void> Claim::sideEffectStarted()
{
    Q_ASSERT(isActive());
    auto result = m_store->sideEffectStarted(m_ownership);
    // Whatever the store said, the effect is about to happen: never free from here on.
    m_sideEffect = true;
    return result;
}

Ownership Claim::detach()
{
    m_store = nullptr;
    return m_ownership;
}

} // namespace idem
