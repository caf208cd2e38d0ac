// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/types.h"

#include <bit>

namespace idem::memory {

/// Compares in a time that depends on the lengths only, so that a caller cannot guess a token, an attempt's id or a
/// fingerprint byte by byte.
[[nodiscard]] inline bool equalsInConstantTime(QByteArrayView left, QByteArrayView right)
{
    if (left.size() != right.size()) {
        return false;
    }
    unsigned difference = 0;
    for (qsizetype i = 0; i < left.size(); ++i) {
        difference |= static_cast<unsigned char>(left[i]) ^ static_cast<unsigned char>(right[i]);
    }
    return difference == 0;
}

/// The same for tokens, in whole words: what was just written as words is slow to read as bytes.
[[nodiscard]] inline bool equalsInConstantTime(const OwnerToken &left, const OwnerToken &right)
{
    using Words = std::array<std::uint64_t, 2>;
    const auto ours = std::bit_cast<Words>(left.bytes);
    const auto theirs = std::bit_cast<Words>(right.bytes);
    return ((ours[0] ^ theirs[0]) | (ours[1] ^ theirs[1])) == 0;
}

} // namespace idem::memory
