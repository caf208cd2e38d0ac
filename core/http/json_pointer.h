// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <QStringView>

#include <tl/expected.hpp>

#include <span>

namespace idem::json {

/// The steps of a JSON pointer (RFC 6901), its escapes ~0 and ~1 decoded, as Value::find() takes them. None for the
/// empty pointer, which means the whole document. The error is a sentence that quotes the pointer. Thread-safe.
[[nodiscard]] tl::expected<QStringList, QString> parsePointer(QStringView text);

/// Which pointers of a sorted list lead to or through a value: a place in a document, walked down step by step. It
/// looks at a list that somebody else keeps. A step costs the logarithm of the list's length.
class PointerScope
{
public:
    /// At the document itself. `pointers` must be sorted.
    explicit PointerScope(std::span<const QStringList> pointers)
        : m_pointers(pointers)
    {
    }

    /// No pointer leads to this value or below it.
    [[nodiscard]] bool isEmpty() const { return m_pointers.empty(); }
    /// A pointer ends at this very value.
    [[nodiscard]] bool isEnd() const { return !isEmpty() && m_pointers.front().size() == m_depth; }
    /// At the member or the array's item that `step` names. Not to be asked where a pointer ends.
    [[nodiscard]] PointerScope below(QStringView step) const;

private:
    std::span<const QStringList> m_pointers;
    qsizetype m_depth = 0;
};

} // namespace idem::json
