// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/http/json_pointer.h"

#include <algorithm>

namespace idem::json {

using namespace Qt::StringLiterals;

tl::expected<QStringList, QString> parsePointer(QStringView text)
{
    if (text.isEmpty()) {
        return QStringList {};
    }
    if (!text.startsWith(u'/')) {
        return tl::unexpected(u"the JSON pointer \"%1\" must be empty or begin with /"_s.arg(text));
    }
    for (qsizetype i = text.indexOf(u'~'); i >= 0; i = text.indexOf(u'~', i + 1)) {
        if (i + 1 == text.size() || (text[i + 1] != u'0' && text[i + 1] != u'1')) {
            return tl::unexpected(
                u"in the JSON pointer \"%1\", ~ must be followed by 0 (for ~) or 1 (for /)"_s.arg(text));
        }
    }
    QStringList steps = text.sliced(1).toString().split(u'/');
    for (QString &step : steps) {
        // In this order, so that ~01 becomes ~1 and not /.
        step.replace(u"~1"_s, u"/"_s).replace(u"~0"_s, u"~"_s);
    }
    return steps;
}

PointerScope PointerScope::below(QStringView step) const
{
    Q_ASSERT(!isEnd());
    const auto stepHere = [this](const QStringList &pointer) { return QStringView(pointer[m_depth]); };
    const auto less = [](QStringView left, QStringView right) { return left < right; };
    const auto first = std::ranges::lower_bound(m_pointers, step, less, stepHere);
    const auto last = std::ranges::upper_bound(first, m_pointers.end(), step, less, stepHere);
    PointerScope scope(std::span(first, last));
    scope.m_depth = m_depth + 1;
    return scope;
}

} // namespace idem::json
