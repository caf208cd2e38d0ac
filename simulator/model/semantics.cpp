// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/semantics.h"

namespace idem::sim {

using namespace Qt::StringLiterals;

QStringList semanticsNames()
{
    return {u"idemscope"_s, u"ietf-strict"_s, u"stripe-v1"_s, u"powertools"_s, u"seed-rust"_s, u"seed-go"_s,
        u"seed-go-store"_s, u"none"_s};
}

bool applySemantics(QStringView name, StoreSetup &setup)
{
    if (!semanticsNames().contains(name)) {
        return false;
    }
    Policy &policy = setup.policy;
    setup.enabled = name != "none"_L1;
    policy.semantics = Semantics::fromName(name).value_or(Semantics::idemscope());
    policy.finalAnswers = FinalPreset::Default;
    setup.failOpen = false;
    if (name == "ietf-strict"_L1) {
        // draft-ietf-httpapi-idempotency-key-header-07: a retry while the first is in progress is a conflict, and
        // nothing says that a lapsed attempt may be run again.
        policy.lapse = LapsePolicy::Hold;
        policy.late = LatePolicy::Strict;
        setup.wait = {};
    } else if (name == "stripe-v1"_L1) {
        // Stripe API v1, "Idempotent requests": every answer once execution began is kept, 500 too.
        policy.finalAnswers = FinalPreset::StripeV1;
    } else if (name == "powertools"_L1) {
        // AWS Lambda Powertools: an exception deletes the record; an in-progress record past its expiry is taken over.
        policy.finalAnswers = FinalPreset::Powertools;
        policy.lapse = LapsePolicy::TakeoverAlways;
    } else if (name == "seed-rust"_L1) {
        policy.finalAnswers = FinalPreset::SeedRust;
        policy.lease = std::nullopt; // it has no watchdog
    } else if (name == "seed-go"_L1 || name == "seed-go-store"_L1) {
        policy.finalAnswers = FinalPreset::SeedGo;
        policy.lease = std::nullopt;
        setup.failOpen = name == "seed-go-store"_L1;
    }
    return true;
}

} // namespace idem::sim
