// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"
#include "core/store/response.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <array>
#include <compare>
#include <cstdint>
#include <optional>

namespace idem {

/// Who a record belongs to and what it is called. Tenant and caller come from the authenticated connection, never from
/// a request's body; the key is the client's. Parts are compared as bytes, case-sensitively.
struct Identity
{
    QByteArray tenant;
    QByteArray caller;
    QByteArray key;

    friend bool operator==(const Identity &, const Identity &) = default;
    friend std::strong_ordering operator<=>(const Identity &left, const Identity &right);
};

/// The same, pointing at bytes that somebody else keeps: what the hot path passes, so that a look-up copies nothing.
struct IdentityView
{
    QByteArrayView tenant;
    QByteArrayView caller;
    QByteArrayView key;

    IdentityView() = default;
    IdentityView(QByteArrayView tenant_, QByteArrayView caller_, QByteArrayView key_)
        : tenant(tenant_)
        , caller(caller_)
        , key(key_)
    {
    }
    IdentityView(const Identity &identity) // NOLINT(google-explicit-constructor): a view of it
        : tenant(identity.tenant)
        , caller(identity.caller)
        , key(identity.key)
    {
    }

    /// A copy that owns its bytes.
    [[nodiscard]] Identity toIdentity() const;

    friend bool operator==(const IdentityView &left, const IdentityView &right)
    {
        return left.key == right.key && left.tenant == right.tenant && left.caller == right.caller;
    }
};

/// A record's outside name: HMAC-SHA-256 (RFC 2104) over the length-prefixed parts of its identity, under the store's
/// secret, so that a path, an audit row or a log shows no key.
struct RecordId
{
    std::array<std::uint8_t, 32> bytes {};

    /// 43 characters of base64url (RFC 4648 section 5), no padding.
    [[nodiscard]] QString toString() const;
    /// Nothing for any other text.
    static std::optional<RecordId> fromString(QStringView text);

    friend auto operator<=>(const RecordId &, const RecordId &) = default;
};

/// A number that grows with every ownership of a record, over all its lives, purge included. 0 is no fence.
/// Source: the fencing token of M. Kleppmann, "How to do distributed locking" (2016).
enum class Fence : std::uint64_t { None = 0 };

[[nodiscard]] constexpr std::uint64_t toNumber(Fence fence)
{
    return static_cast<std::uint64_t>(fence);
}

/// 128 unguessable bits that the owner of an attempt holds; proof of ownership beside the fence.
struct OwnerToken
{
    std::array<std::uint8_t, 16> bytes {};

    [[nodiscard]] bool isNull() const { return *this == OwnerToken {}; }
    friend auto operator<=>(const OwnerToken &, const OwnerToken &) = default;
};

/// The state of a record. LeaseExpired is derived: an in-progress record with `now >= leaseEnd` reads so everywhere.
enum class State : std::uint8_t { InProgress, Completed, Failed, Abandoned, LeaseExpired, OutcomeUnknown };
constexpr int StateCount = 6;

/// The name of a state in files, filters and interfaces: snake_case, for example `in_progress`.
[[nodiscard]] QString toString(State state);
/// Nothing for any other text.
std::optional<State> stateFromString(QStringView text);

} // namespace idem
