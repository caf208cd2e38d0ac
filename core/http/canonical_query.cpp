// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/http/canonical_query.h"

#include <algorithm>
#include <tuple>

namespace idem::http {

namespace {

/// The value of a hexadecimal digit; -1 for any other byte.
int hexValue(char c)
{
    const char lower = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

QByteArray decoded(QByteArrayView text)
{
    QByteArray result;
    result.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        char c = text[i];
        const bool isEscape =
            c == '%' && text.size() - i > 2 && hexValue(text[i + 1]) >= 0 && hexValue(text[i + 2]) >= 0;
        if (isEscape) {
            c = static_cast<char>(hexValue(text[i + 1]) * 16 + hexValue(text[i + 2]));
            i += 2;
        }
        if (c == '%') {
            result += "%25";
        } else if (isEscape && c == '+') {
            result += "%2B";
        } else {
            result += c;
        }
    }
    return result;
}

QueryItem itemOf(QByteArrayView text)
{
    const qsizetype equals = text.indexOf('=');
    if (equals < 0) {
        return {.name = decoded(text)};
    }
    return {.name = decoded(text.first(equals)), .value = decoded(text.sliced(equals + 1))};
}

} // namespace

std::vector<QueryItem> canonicalQuery(QByteArrayView query)
{
    std::vector<QueryItem> items;
    while (!query.isEmpty()) {
        const qsizetype end = query.indexOf('&');
        const QByteArrayView item = end < 0 ? query : query.first(end);
        if (!item.isEmpty()) {
            items.push_back(itemOf(item));
        }
        query = end < 0 ? QByteArrayView() : query.sliced(end + 1);
    }
    std::ranges::sort(items, [](const QueryItem &left, const QueryItem &right) {
        return std::tie(left.name, left.value) < std::tie(right.name, right.value);
    });
    return items;
}

} // namespace idem::http
