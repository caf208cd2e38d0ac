// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/store/model/history.h"
#include "tests/core/store/model/reference_store.h"

#include <string>

namespace idem::test {

/// The ownerships that a history issued: turns "a displaced owner" and "the next lease end" of a command into values.
class Cast
{
public:
    /// Notes an ownership; false when its fence does not grow over all lives of its record. The same one again is no
    /// new one.
    [[nodiscard]] bool note(const Ownership &owner);

    [[nodiscard]] Ownership ownerFor(const Command &command, const ReferenceStore &model) const;
    /// The fence that the operator of `command` looked at.
    [[nodiscard]] static Fence fenceFor(const Command &command, const ReferenceStore &model);
    /// How far `command` moves the clock.
    [[nodiscard]] static Duration spanFor(const Command &command, const ReferenceStore &model, Instant now);

private:
    std::map<Identity, std::vector<Ownership>> m_owners; ///< in the order in which they were issued
};

/// One begin's bytes and the request that points at them.
struct Request
{
    explicit Request(const Command &command);
    Request(const Request &) = delete;
    Request &operator=(const Request &) = delete;
    ~Request() = default;

    Identity identity; ///< of the request
    QByteArray fingerprint;
    QByteArray attemptId;
    QByteArray owner;
    BeginRequest begin;
};

[[nodiscard]] bool isOwnerVerb(Verb verb);
[[nodiscard]] bool isOperatorVerb(Verb verb);

/// Call the verb of `command` and tell its answer.
std::string callOwnerVerb(Store &store, const Command &command, const Ownership &owner);
std::string callOwnerVerb(ReferenceStore &store, const Command &command, const Ownership &owner, Moment at);
std::string callOperatorVerb(Store &store, const Command &command, Fence fence);
std::string callOperatorVerb(ReferenceStore &store, const Command &command, Fence fence, Moment at);

// Answers told without what they say of an ownership where there may be none: under the seed's semantics.

[[nodiscard]] std::string tellView(const std::optional<RecordView> &view, const Policy &policy);
[[nodiscard]] std::string tellEvent(const StoreEvent &event, const Policy &policy);
[[nodiscard]] std::string tellBegun(const Begun &begun, const Policy &policy);

} // namespace idem::test
