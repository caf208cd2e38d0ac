// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/types.h"

#include <QtEndian>

#include <bit>

namespace idem::memory {

/// 128 secret bits.
struct SipKey
{
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    /// From the operating system's generator.
    static SipKey random();
};

/// SipHash-c-d: a keyed pseudo-random function, whose values nobody without the key can guess or tell from random ones.
/// Source: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012; the 128-bit output is
/// that of the authors' reference code.
template <int CompressionRounds, int FinalRounds> class SipHash
{
public:
    explicit SipHash(const SipKey &key)
        : m_v0(key.low ^ 0x736f6d6570736575)
        , m_v1(key.high ^ 0x646f72616e646f6d)
        , m_v2(key.low ^ 0x6c7967656e657261)
        , m_v3(key.high ^ 0x7465646279746573)
    {
    }

    /// A whole message, with its length. Called again it goes on with a further one: no two sequences of messages are
    /// put in as the same words.
    void add(QByteArrayView message)
    {
        const auto size = std::size_t(message.size());
        const std::size_t whole = size / wordBytes * wordBytes;
        for (std::size_t i = 0; i < whole; i += wordBytes) {
            compress(qFromLittleEndian<quint64>(message.data() + i));
        }
        compress(tailOf(message, size - whole) | std::uint64_t {size} << 56);
    }

    [[nodiscard]] std::uint64_t finish64()
    {
        m_v2 ^= 0xff;
        return finish();
    }

    /// For who called widen() first.
    [[nodiscard]] std::array<std::uint64_t, 2> finish128()
    {
        m_v2 ^= 0xee;
        const std::uint64_t low = finish();
        m_v1 ^= 0xdd;
        return {low, finish()};
    }
    /// 128 bits are wanted.
    void widen() { m_v1 ^= 0xee; }

private:
    static constexpr std::size_t wordBytes = sizeof(std::uint64_t);

    /// The last `count` < 8 bytes of `bytes`, little-endian, the rest 0.
    static std::uint64_t tailOf(QByteArrayView bytes, std::size_t count)
    {
        if (count == 0) {
            return 0;
        }
        if (std::size_t(bytes.size()) >= wordBytes) {
            const auto last = qFromLittleEndian<quint64>(bytes.data() + bytes.size() - wordBytes);
            return last >> (8 * (wordBytes - count));
        }
        std::uint64_t tail = 0;
        for (std::size_t i = 0; i < count; ++i) {
            tail |= std::uint64_t {static_cast<std::uint8_t>(bytes[qsizetype(i)])} << (8 * i);
        }
        return tail;
    }

    void compress(std::uint64_t word)
    {
        m_v3 ^= word;
        for (int i = 0; i < CompressionRounds; ++i) {
            round();
        }
        m_v0 ^= word;
    }

    std::uint64_t finish()
    {
        for (int i = 0; i < FinalRounds; ++i) {
            round();
        }
        return m_v0 ^ m_v1 ^ m_v2 ^ m_v3;
    }

    void round()
    {
        m_v0 += m_v1;
        m_v2 += m_v3;
        m_v1 = std::rotl(m_v1, 13) ^ m_v0;
        m_v3 = std::rotl(m_v3, 16) ^ m_v2;
        m_v0 = std::rotl(m_v0, 32);
        m_v2 += m_v1;
        m_v0 += m_v3;
        m_v1 = std::rotl(m_v1, 17) ^ m_v2;
        m_v3 = std::rotl(m_v3, 21) ^ m_v0;
        m_v2 = std::rotl(m_v2, 32);
    }

    std::uint64_t m_v0;
    std::uint64_t m_v1;
    std::uint64_t m_v2;
    std::uint64_t m_v3;
};

} // namespace idem::memory
