// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/store/model/reference_store.h"

#include <string>

namespace idem::test {

/// Answers as texts that hold all they say, so that two are equal when their texts are, and a difference can be read.
/// A body is told by its beginning and its length; a problem document by what the contract says of it: the reason of an
/// owner's fail.

[[nodiscard]] std::string describe(const Begun &begun);
[[nodiscard]] std::string describe(const StoreError &error);
[[nodiscard]] std::string describe(const Completion &completion);
[[nodiscard]] std::string describe(const std::optional<Instant> &moment);
/// But for the id.
[[nodiscard]] std::string describe(const RecordView &view);
[[nodiscard]] std::string describe(const std::optional<RecordView> &view);
[[nodiscard]] std::string describe(const AnswerPtr &answer);
[[nodiscard]] std::string describe(const ResponsePtr &response);
/// But for the sequence number.
[[nodiscard]] std::string describe(const StoreEvent &event);
[[nodiscard]] std::string describe(const Counters &counters);
[[nodiscard]] std::string describe(const std::vector<std::uint64_t> &numbers);

template <typename T> [[nodiscard]] std::string describe(const Result<T> &result)
{
    if (!result) {
        return describe(result.error());
    }
    if constexpr (std::is_void_v<T>) {
        return "done";
    } else {
        return describe(*result);
    }
}

/// The same outcome without its guard, which is detached: its owner lives in the test.
[[nodiscard]] Begun toBegun(Outcome outcome);

} // namespace idem::test
