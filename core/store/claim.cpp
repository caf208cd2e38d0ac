// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/claim.h"

#include "core/store/store.h"

namespace idem {

Claim::Claim(Store &store, const OwnershipView &ownership, std::optional<Instant> leaseEnd)
    : m_store(&store)
    , m_tenantBytes(ownership.identity.tenant.size())
    , m_callerBytes(ownership.identity.caller.size())
    , m_fence(ownership.fence)
    , m_token(ownership.token)
    , m_leaseEnd(leaseEnd)
{
    const auto append = [this](const QByteArrayView &part) { m_identity.append(part.data(), part.size()); };
    append(ownership.identity.tenant);
    append(ownership.identity.caller);
    append(ownership.identity.key);
}

Claim::Claim(Claim &&other) noexcept
    : m_store(std::exchange(other.m_store, nullptr))
    , m_identity(std::move(other.m_identity))
    , m_tenantBytes(other.m_tenantBytes)
    , m_callerBytes(other.m_callerBytes)
    , m_fence(other.m_fence)
    , m_token(other.m_token)
    , m_leaseEnd(other.m_leaseEnd)
    , m_sideEffect(other.m_sideEffect)
{
}

Claim &Claim::operator=(Claim &&other) noexcept
{
    if (this != &other) {
        leave();
        m_store = std::exchange(other.m_store, nullptr);
        m_identity = std::move(other.m_identity);
        m_tenantBytes = other.m_tenantBytes;
        m_callerBytes = other.m_callerBytes;
        m_fence = other.m_fence;
        m_token = other.m_token;
        m_leaseEnd = other.m_leaseEnd;
        m_sideEffect = other.m_sideEffect;
    }
    return *this;
}

Claim::~Claim()
{
    leave();
}

OwnershipView Claim::view() const
{
    // Made where it stays: what was just written in parts is slow to copy as a whole.
    OwnershipView owner;
    const char *const tenant = m_identity.constData();
    const char *const caller = tenant + m_tenantBytes;
    const char *const key = caller + m_callerBytes;
    owner.identity.tenant = QByteArrayView(tenant, m_tenantBytes);
    owner.identity.caller = QByteArrayView(caller, m_callerBytes);
    owner.identity.key = QByteArrayView(key, m_identity.size() - m_tenantBytes - m_callerBytes);
    owner.fence = m_fence;
    owner.token = m_token;
    return owner;
}

Ownership Claim::ownership() const
{
    const OwnershipView owner = view();
    return {owner.identity.toIdentity(), owner.fence, owner.token};
}

void Claim::leave()
{
    Store *store = std::exchange(m_store, nullptr);
    if (!store) {
        return;
    }
    // A refusal means that somebody else ended the ownership: nothing is left to do.
    if (m_sideEffect) {
        static_cast<void>(store->markUnknown(view()));
    } else {
        static_cast<void>(store->release(view()));
    }
}

Result<Completion> Claim::complete(const ResponseView &response)
{
    Q_ASSERT(isActive());
    Result<Completion> result = m_store->complete(view(), response);
    if (!result && result.error().code == StoreErrorCode::Invalid) {
        leave(); // the response was at fault, the key is still held
    }
    m_store = nullptr;
    return result;
}

Result<Completion> Claim::fail(const QString &reason)
{
    Q_ASSERT(isActive());
    return std::exchange(m_store, nullptr)->fail(view(), reason);
}

Result<void> Claim::release()
{
    Q_ASSERT(isActive());
    return std::exchange(m_store, nullptr)->release(view());
}

Result<std::optional<Instant>> Claim::renew()
{
    Q_ASSERT(isActive());
    auto result = m_store->renew(view());
    if (result) {
        m_leaseEnd = *result;
    }
    return result;
}

Result<void> Claim::sideEffectStarted()
{
    Q_ASSERT(isActive());
    auto result = m_store->sideEffectStarted(view());
    // Whatever the store said, the effect is about to happen: never free from here on.
    m_sideEffect = true;
    return result;
}

Ownership Claim::detach()
{
    m_store = nullptr;
    return ownership();
}

} // namespace idem
