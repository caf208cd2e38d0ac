// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/http/json.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QStringList>

#include <vector>

namespace idem::json {

/// Which parts of a document count, as the steps of JSON pointers (parsePointer()).
struct Selection
{
    /// Only what lies at one of these counts; empty: the whole document.
    std::vector<QStringList> include {};
    /// Never counts, even where `include` names it; a member that is not there is no error. Sorted.
    std::vector<QStringList> exclude {};
};

/// One text for all spellings of a number, equal for two numbers exactly when their decimal values are: the digits as
/// an integer that does not end in 0, and the exponent where it is not 0. So 1200, 1.2e3 and 12E+2 are `12e2`; 0, -0
/// and 0e9 are `0`. Nothing is rounded and nothing is written out: an exponent of any size is computed on as decimal
/// text. `number` must be a number of RFC 8259. Time and memory are linear in it. Thread-safe.
[[nodiscard]] QByteArray canonicalNumber(QByteArrayView number);

/// One text for all spellings of what `selection` leaves of `document`: the canonical form of RFC 8785 (no white space,
/// members by the UTF-16 code units of their names, the shortest escapes) but for its numbers, which that form rounds
/// to doubles; here canonicalNumber() writes them. Strings are not normalised as Unicode. An array closes up where an
/// item is excluded. With an `include`, the text is an object of the pointers that led somewhere, each with what lies
/// there; it is empty, which no JSON text is, when none did. Time is n log n. Thread-safe.
[[nodiscard]] QByteArray canonicalText(const Value &document, const Selection &selection = {});

} // namespace idem::json
