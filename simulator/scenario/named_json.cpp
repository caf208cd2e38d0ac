// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/named_json.h"

namespace idem::sim {

QJsonObject toJson(const Counts &counts)
{
    QJsonObject json;
    for (const Counts::Entry &entry : Counts::entries()) {
        json.insert(nameOf(entry.name), static_cast<qint64>(counts.*entry.member));
    }
    return json;
}

QJsonObject toJson(const Measures &measures)
{
    QJsonObject json;
    for (const Measures::Entry &entry : Measures::entries()) {
        json.insert(nameOf(entry.name), measures.*entry.member);
    }
    return json;
}

QStringList measurableNames()
{
    QStringList names;
    for (const Counts::Entry &entry : Counts::entries()) {
        names.append(nameOf(entry.name));
    }
    for (const Measures::Entry &entry : Measures::entries()) {
        names.append(nameOf(entry.name));
    }
    return names;
}

} // namespace idem::sim
