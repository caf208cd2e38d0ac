// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/sip_hash.h"

#include <QRandomGenerator>
#include <QtEndian>

namespace idem::memory {

namespace {

constexpr std::size_t wordBytes = sizeof(std::uint64_t);

/// The last `count` < 8 bytes of `bytes`, little-endian, the rest 0.
std::uint64_t tailOf(QByteArrayView bytes, std::size_t count)
{
    if (std::size_t(bytes.size()) >= wordBytes && count > 0) {
        const auto last = qFromLittleEndian<quint64>(bytes.data() + bytes.size() - wordBytes);
        return last >> (8 * (wordBytes - count));
    }
    std::uint64_t tail = 0;
    for (std::size_t i = 0; i < count; ++i) {
        tail |= std::uint64_t {static_cast<std::uint8_t>(bytes[bytes.size() - qsizetype(count - i)])} << (8 * i);
    }
    return tail;
}

} // namespace

SipKey SipKey::random()
{
    return {QRandomGenerator::system()->generate64(), QRandomGenerator::system()->generate64()};
}

template <int CompressionRounds, int FinalRounds>
void SipHash<CompressionRounds, FinalRounds>::add(QByteArrayView message)
{
    const auto size = std::size_t(message.size());
    const std::size_t whole = size / wordBytes * wordBytes;
    for (std::size_t i = 0; i < whole; i += wordBytes) {
        compress(qFromLittleEndian<quint64>(message.data() + i));
    }
    compress(tailOf(message, size - whole) | std::uint64_t {size} << 56);
}

template class SipHash<1, 3>;
template class SipHash<2, 4>;

} // namespace idem::memory
