// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/bench/rivals/rival.h"

#include <QByteArray>
#include <QHash>

namespace idem::bench::rivals {

/// For LockedMaps: Qt's map of Qt's bytes, whose replies are shared instead of copied.
class QtMap
{
public:
    using Body = QByteArray;
    Entry<Body> *find(std::string_view key)
    {
        const auto found = m_map.find(bytes(key));
        return found == m_map.end() ? nullptr : &found.value();
    }
    Entry<Body> &insert(std::string_view key)
    {
        return m_map.insert(QByteArray(key.data(), static_cast<qsizetype>(key.size())), {}).value();
    }
    void erase(std::string_view key) { m_map.remove(bytes(key)); }

private:
    /// Not copied: for look-ups only.
    static QByteArray bytes(std::string_view key)
    {
        return QByteArray::fromRawData(key.data(), static_cast<qsizetype>(key.size()));
    }

    QHash<QByteArray, Entry<Body>> m_map;
};

} // namespace idem::bench::rivals
