// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/execute.h"
#include "tests/core/store/contract/fixture.h"

// Small words for the stories of execute(). Waiters begin inside the running operation, so that one thread tells the
// whole story; execute_threads_test.cpp has the same with threads.
namespace idem::test {

inline const Ask waiting {.wait = 10s};

inline BeginRequest requestOf(const Ask &ask)
{
    return {ask.tenant, ask.caller, ask.key, ask.fingerprint, ask.attemptId, ask.owner, ask.lease, ask.wait};
}

inline Operation answering(const Response &response)
{
    return [response](Execution &) { return response; };
}

inline Response created(const QByteArray &body = "once")
{
    return {201, {{"Content-Type", "text/plain"}}, body};
}

/// For a call that must not run its own.
inline Response unexpectedRun(Execution & /*execution*/)
{
    ADD_FAILURE() << "the operation ran";
    return {};
}

/// The answer, or a failure and an empty one.
inline Executed answerOf(const ExecuteResult &result)
{
    EXPECT_TRUE(result) << "no answer, alternative " << (result ? 0 : result.error().index());
    const Executed executed = result.value_or(Executed {});
    return executed.response ? executed : Executed {StoredResponse::make({})};
}

template <typename Reason> Reason reasonOf(const ExecuteResult &result)
{
    if (result) {
        ADD_FAILURE() << "an answer of status " << result->response->status();
        return {};
    }
    const Reason *reason = std::get_if<Reason>(&result.error());
    EXPECT_TRUE(reason) << "another reason, alternative " << result.error().index();
    return reason ? *reason : Reason {};
}

} // namespace idem::test
