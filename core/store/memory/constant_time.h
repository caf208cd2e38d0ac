// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

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

} // namespace idem::memory
