// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QCryptographicHash>
#include <QtEndian>

#include <array>

namespace idem::http {

/// SHA-256 (FIPS 180-4) over parts. Each stands behind its length, so that no two ways to split a text into parts
/// collide. Not thread-safe.
class PartHash
{
public:
    /// Adds the length of `part` and its bytes.
    void add(QByteArrayView part)
    {
        addNumber(static_cast<quint64>(part.size()));
        m_hash.addData(part);
    }

    /// Adds a number, for example of the parts that follow: eight bytes, the big end first.
    void addNumber(quint64 number)
    {
        std::array<char, sizeof number> bytes {};
        qToBigEndian(number, bytes.data());
        m_hash.addData(QByteArrayView(bytes));
    }

    /// 32 bytes.
    [[nodiscard]] QByteArray digest() const { return m_hash.result(); }

private:
    QCryptographicHash m_hash {QCryptographicHash::Sha256};
};

} // namespace idem::http
