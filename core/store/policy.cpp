// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/policy.h"

#include <algorithm>
#include <array>

namespace idem {

using namespace Qt::StringLiterals;

namespace {

// RFC 9110 section 15.5 and RFC 6585: what another try, without a change to the request, may answer otherwise.
constexpr std::array transientClientErrors {401, 403, 408, 409, 425, 429};

bool isTransientClientError(int status)
{
    return std::find(transientClientErrors.begin(), transientClientErrors.end(), status) != transientClientErrors.end();
}

struct SemanticsRow
{
    QLatin1StringView name;
    bool fenced;
    bool abandonAnyState;
    bool fingerprinted;

    [[nodiscard]] Semantics toSemantics() const { return {name, fenced, abandonAnyState, fingerprinted}; }
};

constexpr std::array semanticsTable {
    SemanticsRow {QLatin1StringView("idemscope"), true, false, true},
    SemanticsRow {QLatin1StringView("seed-rust"), false, true, false},
};

void checkDuration(QStringList &problems, QLatin1StringView name, Duration value, Duration least)
{
    if (value < least || value > maxPolicyDuration) {
        problems.append(u"%1 must be %2 us to 365 d, not %3 us."_s.arg(name).arg(least.count()).arg(value.count()));
    }
}

void checkPositive(QStringList &problems, QLatin1StringView name, qint64 value)
{
    if (value < 1) {
        problems.append(u"%1 must be at least 1, not %2."_s.arg(name).arg(value));
    }
}

} // namespace

bool isFinal(FinalPreset preset, int status)
{
    switch (preset) {
    case FinalPreset::Default:
        return status >= 200 && status < 500 && !isTransientClientError(status);
    case FinalPreset::SuccessOnly:
        return status >= 200 && status < 300;
    case FinalPreset::StripeV1:
        return true;
    }
    Q_UNREACHABLE();
}

Semantics Semantics::seedRust()
{
    return semanticsTable[1].toSemantics();
}

std::optional<Semantics> Semantics::fromName(QStringView name)
{
    for (const SemanticsRow &row : semanticsTable) {
        if (row.name == name) {
            return row.toSemantics();
        }
    }
    return std::nullopt;
}

QStringList Semantics::names()
{
    QStringList names;
    for (const SemanticsRow &row : semanticsTable) {
        names.append(row.name);
    }
    return names;
}

QStringList Policy::problems() const
{
    constexpr Duration tick {1};
    QStringList problems;
    if (lease) {
        checkDuration(problems, "lease"_L1, *lease, tick);
    }
    checkDuration(problems, "ttl"_L1, ttl, Duration::zero());
    checkDuration(problems, "stuckAfter"_L1, stuckAfter, tick);
    checkDuration(problems, "maxWait"_L1, maxWait, Duration::zero());
    checkDuration(problems, "sweepInterval"_L1, sweepInterval, tick);
    checkPositive(problems, "maxWaitersPerKey"_L1, maxWaitersPerKey);
    checkPositive(problems, "minKeyBytes"_L1, minKeyBytes);
    checkPositive(problems, "maxKeyBytes"_L1, maxKeyBytes);
    checkPositive(problems, "maxBodyBytes"_L1, maxBodyBytes);
    checkPositive(problems, "maxRecords"_L1, maxRecords);
    if (minKeyBytes > maxKeyBytes) {
        problems.append(u"minKeyBytes must not be above maxKeyBytes, %1 > %2."_s.arg(minKeyBytes).arg(maxKeyBytes));
    }
    return problems;
}

} // namespace idem
