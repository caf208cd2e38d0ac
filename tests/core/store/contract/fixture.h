// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/store/contract/harness.h"
#include "tests/core/store/printing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace idem::test {

using namespace std::chrono_literals;

/// What one begin asks for; the defaults are the story's usual client.
struct Ask
{
    QByteArray key = "order-1";
    QByteArray tenant = "acme";
    QByteArray caller = "alice";
    QByteArray fingerprint = "v1:payload";
    QByteArray attemptId {};
    QByteArray owner = "server-1";
    std::optional<Duration> lease {};
    Duration wait {};
};

/// An outcome that came later, or has not come yet.
struct Later
{
    std::optional<Outcome> outcome;

    [[nodiscard]] bool isKnown() const { return outcome.has_value(); }
    /// Rejected (Unavailable) while it is not known, so that a test fails and does not crash.
    [[nodiscard]] OutcomeKind kind() const { return outcome ? kindOf(*outcome) : OutcomeKind::Rejected; }
};

/// Tiny verbs for the contract's stories. An attempt made by ask() or own() leaves no guard behind, as if its owner
/// lived elsewhere; claim() hands the guard out.
class StoreContract : public testing::TestWithParam<Backend>
{
protected:
    StoreContract();

    /// Starts again with an empty store under `policy`, which sweeps only when told to: no rule may depend on a sweep.
    void open(Policy policy);
    void openSweeping(const Policy &policy);
    Store &store() { return *m_store; }
    void advance(Duration span) { m_harness->advance(span); }
    [[nodiscard]] Instant now() { return store().clock().now(); }
    [[nodiscard]] std::size_t pendingTimers() const { return m_harness->pendingTimers(); }

    Outcome begin(const Ask &ask = {});
    OutcomeKind ask(const Ask &ask = {});
    OutcomeKind ask(const QByteArray &key) { return ask(Ask {.key = key}); }
    /// Expects Fresh.
    Ownership own(const Ask &ask = {});
    Claim claim(const Ask &ask = {});
    /// Expects an outcome of this kind.
    template <typename Kind> Kind expect(const Ask &ask = {})
    {
        Outcome outcome = begin(ask);
        if (Kind *kind = std::get_if<Kind>(&outcome)) {
            return std::move(*kind);
        }
        ADD_FAILURE() << "unexpected outcome " << idem::toString(kindOf(outcome)).toStdString();
        return {};
    }
    /// A begin that waits; its outcome lands in the result, which must outlive it.
    std::shared_ptr<Later> beginLater(Ask ask);

    Result<Completion> complete(const Ownership &owner, int status = 201, const QByteArray &body = "{\"id\":1}");
    Result<RecordView> abandon(const Ownership &owner, AbandonAs as = AbandonAs::Release);
    /// The keys of a list's page.
    std::vector<QByteArray> list(const Query &query);
    /// The keys of all pages in turn, with `between` called after each.
    std::vector<QByteArray> walk(
        Query query, const std::function<void()> &between = [] {});
    /// The record, or a failure and an empty view.
    RecordView record(const Ask &ask = {});
    [[nodiscard]] bool exists(const Ask &ask = {});
    [[nodiscard]] State state(const Ask &ask = {}) { return record(ask).state; }
    /// Everything that must not change when a verb is refused.
    std::string snapshot(const Ask &ask = {});

private:
    std::unique_ptr<StoreHarness> m_harness;
    Store *m_store = nullptr;
};

[[nodiscard]] inline IdentityView identityOf(const Ask &ask)
{
    return {ask.tenant, ask.caller, ask.key};
}

/// The code of a refusal; nothing for a success.
template <typename T> [[nodiscard]] std::optional<StoreErrorCode> refusalOf(const Result<T> &result)
{
    return result ? std::nullopt : std::optional(result.error().code);
}

} // namespace idem::test
