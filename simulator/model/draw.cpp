// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/draw.h"

#include "simulator/engine/random.h"

namespace idem::sim {

Duration draw(const Distribution &distribution, std::uint64_t bits)
{
    switch (distribution.kind) {
    case Distribution::Kind::Constant:
        return distribution.first;
    case Distribution::Kind::Uniform:
        return distribution.first + uniformBelow(bits, distribution.second - distribution.first);
    case Distribution::Kind::Exponential:
        return exponential(bits, distribution.first);
    }
    Q_UNREACHABLE();
}

namespace {

/// min(cap, base * 2^index)
Duration doubled(const RetryPolicy &policy, std::uint32_t index)
{
    constexpr std::uint32_t bitsOfDuration = 63;
    if (policy.base <= Duration::zero()) {
        return Duration::zero();
    }
    if (index >= bitsOfDuration || policy.base.count() > (policy.cap.count() >> index)) {
        return policy.cap;
    }
    return Duration(policy.base.count() << index);
}

} // namespace

Duration retryDelay(const RetryPolicy &policy, std::uint32_t index, std::uint64_t bits)
{
    switch (policy.kind) {
    case RetryPolicy::Kind::None:
        return Duration::zero();
    case RetryPolicy::Kind::Fixed:
        return policy.base;
    case RetryPolicy::Kind::Exponential:
        return doubled(policy, index);
    case RetryPolicy::Kind::FullJitter:
        return uniformBelow(bits, doubled(policy, index));
    }
    Q_UNREACHABLE();
}

} // namespace idem::sim
