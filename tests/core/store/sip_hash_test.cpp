// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/sip_hash.h"

#include <QtEndian>

#include <gtest/gtest.h>

namespace idem::memory {

namespace {

/// The key of the authors' test vectors: the bytes 00...0f.
constexpr SipKey vectorKey {0x0706050403020100, 0x0f0e0d0c0b0a0908};

QByteArray countingBytes(int count)
{
    QByteArray bytes;
    for (int i = 0; i < count; ++i) {
        bytes.append(char(i));
    }
    return bytes;
}

std::uint64_t sip24(QByteArrayView message)
{
    SipHash<2, 4> hash(vectorKey);
    hash.add(message);
    return hash.finish64();
}

QByteArray sip24Wide(QByteArrayView message)
{
    SipHash<2, 4> hash(vectorKey);
    hash.widen();
    hash.add(message);
    QByteArray bytes;
    for (const std::uint64_t word : hash.finish128()) {
        const quint64 littleEndian = qToLittleEndian(quint64(word));
        bytes.append(reinterpret_cast<const char *>(&littleEndian), sizeof(littleEndian));
    }
    return bytes.toHex();
}

} // namespace

// The paper's appendix A, and the first of the reference code's tables.
TEST(SipHash, GivesThePublishedValues)
{
    EXPECT_EQ(sip24(countingBytes(15)), 0xa129ca6149be45e5);
    EXPECT_EQ(sip24(countingBytes(0)), 0x726fdb47dd0e0e31);
    EXPECT_EQ(sip24(countingBytes(1)), 0x74f839c593dc67fd);
    EXPECT_EQ(sip24(countingBytes(8)), 0x93f5f5799a932462);
    EXPECT_EQ(sip24Wide(countingBytes(0)), "a3817f04ba25a8e66df67214c7550293");
    EXPECT_EQ(sip24Wide(countingBytes(1)), "da87c1d86b99af44347659119b22fc45");
}

TEST(SipHash, TellsSplitsOfTheSameBytesApart)
{
    const auto hashOf = [](QByteArrayView first, QByteArrayView second) {
        SipHash<1, 3> hash(vectorKey);
        hash.add(first);
        hash.add(second);
        return hash.finish64();
    };
    EXPECT_NE(hashOf("ab", "c"), hashOf("a", "bc"));
    EXPECT_NE(hashOf("abc", ""), hashOf("", "abc"));
    EXPECT_NE(hashOf("abcdefgh", ""), hashOf("abcdefg", "h"));
}

TEST(SipHash, AnotherKeyGivesOtherValues)
{
    SipHash<2, 4> other(SipKey {1, 2});
    other.add("message");
    EXPECT_NE(other.finish64(), sip24("message"));
}

} // namespace idem::memory
