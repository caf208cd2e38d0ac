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

Semantics unowned(QLatin1StringView name)
{
    Semantics semantics;
    semantics.name = name;
    semantics.fenced = false;
    semantics.abandonAnyState = true;
    semantics.fingerprinted = false;
    return semantics;
}

/// All presets, the product's own first.
std::array<Semantics, 4> allSemantics()
{
    return {Semantics::idemscope(), Semantics::seedRust(), Semantics::seedGo(), Semantics::seedGoStore()};
}

constexpr std::array<QLatin1StringView, 7> finalPresets {
    QLatin1StringView("default"),
    QLatin1StringView("success-only"),
    QLatin1StringView("stripe-v1"),
    QLatin1StringView("powertools"),
    QLatin1StringView("seed-rust"),
    QLatin1StringView("seed-go"),
    QLatin1StringView("seed-go-cache-errors"),
};

void checkDuration(QStringList &problems, QLatin1StringView name, Duration value, Duration least)
{
    if (value < least || value > maxPolicyDuration) {
        problems.append(u"%1 must be %2 us to 365 d, not %3 us."_s.arg(name).arg(least.count()).arg(value.count()));
    }
}

struct Range
{
    qint64 least;
    qint64 most;
};

void checkRange(QStringList &problems, QLatin1StringView name, qint64 value, Range range)
{
    if (value < range.least || value > range.most) {
        problems.append(u"%1 must be %2 to %3, not %4."_s.arg(name).arg(range.least).arg(range.most).arg(value));
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
    case FinalPreset::Powertools:
    case FinalPreset::SeedRust:
    case FinalPreset::SeedGo:
    case FinalPreset::SeedGoCacheErrors:
        return true;
    }
    Q_UNREACHABLE();
}

bool keepsFailures(FinalPreset preset)
{
    return preset != FinalPreset::Powertools && preset != FinalPreset::SeedGo;
}

bool forgetsFailures(FinalPreset preset)
{
    return preset == FinalPreset::Powertools || preset == FinalPreset::SeedRust || preset == FinalPreset::SeedGo
        || preset == FinalPreset::SeedGoCacheErrors;
}

QString toString(FinalPreset preset)
{
    return finalPresets[static_cast<std::size_t>(preset)];
}

std::optional<FinalPreset> finalPresetFromString(QStringView text)
{
    const auto *const found = std::find(finalPresets.begin(), finalPresets.end(), text);
    return found == finalPresets.end() ? std::nullopt : std::optional(FinalPreset(found - finalPresets.begin()));
}

QStringList finalPresetNames()
{
    return {finalPresets.begin(), finalPresets.end()};
}

Semantics Semantics::seedRust()
{
    Semantics semantics = unowned("seed-rust"_L1);
    semantics.freesExpired = false;
    return semantics;
}

Semantics Semantics::seedGo()
{
    Semantics semantics = unowned("seed-go"_L1);
    semantics.firstResultStands = true;
    semantics.zeroTtlMeans = 10min;
    semantics.emptyResultAfterThrow = true;
    return semantics;
}

Semantics Semantics::seedGoStore()
{
    Semantics semantics = unowned("seed-go-store"_L1);
    semantics.zeroTtlMeans = 10min;
    semantics.runsWhileInProgress = true;
    semantics.runsUnprotected = true;
    return semantics;
}

std::optional<Semantics> Semantics::fromName(QStringView name)
{
    for (Semantics &semantics : allSemantics()) {
        if (semantics.name == name) {
            return std::move(semantics);
        }
    }
    return std::nullopt;
}

QStringList Semantics::names()
{
    QStringList names;
    for (const Semantics &semantics : allSemantics()) {
        names.append(semantics.name);
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
    checkRange(problems, "maxBodyBytes"_L1, maxBodyBytes, {1, qint64 {1024} * 1024 * 1024});
    checkPositive(problems, "maxRecords"_L1, maxRecords);
    if (maxBytes) {
        checkPositive(problems, "maxBytes"_L1, *maxBytes);
    }
    checkRange(problems, "historyEvents"_L1, historyEvents, {0, 1000});
    return problems + key.problems();
}

} // namespace idem
