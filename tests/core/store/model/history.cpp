// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/history.h"

#include <array>

namespace idem::test {

namespace {

constexpr std::array<const char *, tenantCount> tenants {"acme", "globex"};
constexpr std::array<const char *, keyCount> keys {"a", "b", "pay"};
// One too short and one too long for the bounds of a lease, which clamp it.
constexpr std::array<Duration, leaseCount> leases {0us, 0us, 6us, 31us, Duration::max()};

Response answerOf(int index)
{
    static const std::array<Response, answerCount> answers {
        Response {201, {{"Content-Type", "text/plain"}}, QByteArray("one")},
        Response {201, {{"Content-Type", "text/plain"}}, QByteArray("two")},
        Response {200, {}, QByteArray(400, 'x')},
        Response {204, {}, std::nullopt},
        Response {302, {{"Location", "/x"}}, QByteArray("")},
        Response {404, {}, QByteArray("no")},
        Response {429, {}, QByteArray("slow")},
        Response {503, {}, QByteArray("down")},
        Response {99, {}, QByteArray("no status")},
    };
    return answers.at(static_cast<std::size_t>(index));
}

const char *nameOf(Verb verb)
{
    constexpr std::array names {"begin", "begin many", "begin with a bad text", "complete", "fail", "renew", "release",
        "sideEffectStarted", "markUnknown", "abandon", "settle", "purge", "find", "list", "counters", "forecast",
        "sweep", "advance", "wall clock jumps", "close"};
    return names.at(static_cast<std::size_t>(verb));
}

const char *nameOf(Who who)
{
    constexpr std::array names {
        "its owner", "a displaced owner", "a foreign owner", "a made-up owner", "its owner under an older fence"};
    return names.at(static_cast<std::size_t>(who));
}

const char *nameOf(Looked looked)
{
    constexpr std::array names {"the right fence", "an older fence", "no fence"};
    return names.at(static_cast<std::size_t>(looked));
}

const char *nameOf(AbandonAs as)
{
    constexpr std::array names {"release", "failed", "unknown"};
    return names.at(static_cast<std::size_t>(as));
}

void printAnswer(std::ostream &out, const Response &answer)
{
    out << answer.status << " \"" << answer.body.value_or("no body").left(12).toStdString() << '"';
}

void printOperator(std::ostream &out, const Command &command)
{
    out << " with " << nameOf(command.looked);
    if (command.verb == Verb::Abandon) {
        out << " as " << nameOf(command.as) << (command.overrideLive ? ", overriding" : "");
    }
    if (command.verb == Verb::Settle) {
        out << (command.answer < 0 ? " as not executed" : " as answer ");
        if (command.answer >= 0) {
            printAnswer(out, command.response());
        }
    }
    out << (command.reason == 0 ? " without a reason" : "");
}

void printListing(std::ostream &out, const Listing &listing)
{
    constexpr std::array sorts {"fence", "lease end", "expiry"};
    out << " by " << sorts.at(static_cast<std::size_t>(listing.sort)) << (listing.descending ? ", descending" : "")
        << ", pages of " << listing.limit;
    for (const State state : listing.states) {
        out << ", " << toString(state).toStdString();
    }
    out << (listing.tenant.isEmpty() ? "" : ", tenant " + listing.tenant.toStdString())
        << (listing.keyPrefix.isEmpty() ? "" : ", key " + listing.keyPrefix.toStdString() + "*")
        << (listing.stuckOnly ? ", stuck only" : "");
}

void printSpan(std::ostream &out, const Command &command)
{
    switch (command.span) {
    case Span::Ticks:
        out << ' ' << command.amount << " us";
        break;
    case Span::ToBoundary:
        out << " to lease end or expiry, next but " << command.amount;
        break;
    case Span::BeforeBoundary:
        out << " to 1 us before lease end or expiry, next but " << command.amount;
    }
}

std::string text(const std::optional<Duration> &span)
{
    return span ? std::to_string(span->count()) + " us" : "none";
}

} // namespace

Identity Command::identity() const
{
    return {tenants.at(static_cast<std::size_t>(tenant)), "alice", keys.at(static_cast<std::size_t>(key))};
}

QByteArray Command::fingerprintBytes() const
{
    return fingerprint == 0 ? QByteArray() : "v1:" + QByteArray::number(fingerprint);
}

QByteArray Command::attemptIdBytes() const
{
    return attemptId == 0 ? QByteArray() : "try-" + QByteArray::number(attemptId);
}

std::optional<Duration> Command::ownLease() const
{
    return lease == 0 ? std::nullopt : std::optional(leases.at(static_cast<std::size_t>(lease)));
}

Response Command::response() const
{
    return answerOf(answer);
}

QString Command::reasonText() const
{
    static const std::array<QString, reasonCount> reasons {
        QString(), QStringLiteral("ticket 42"), QStringLiteral("ticket 43")};
    return reasons.at(static_cast<std::size_t>(reason));
}

void Command::spoil(BeginRequest &request) const
{
    static const std::array<QByteArray, 4> badKeys {
        QByteArray(), QByteArray(256, 'k'), QByteArray("a\nb"), QByteArray("caf\xc3\xa9")};
    static const QByteArray tooLong(256, 't');
    const std::array texts {&request.tenant, &request.caller, &request.fingerprint, &request.attemptId, &request.owner};
    const auto kind = static_cast<std::size_t>(amount);
    if (kind < badKeys.size()) {
        request.key = badKeys[kind];
    } else {
        *texts.at(kind - badKeys.size()) = tooLong;
    }
}

std::ostream &operator<<(std::ostream &out, const Command &command)
{
    out << nameOf(command.verb);
    const Identity identity = command.identity();
    const auto of = [&]() -> std::ostream & {
        return out << ' ' << identity.tenant.toStdString() << '/' << identity.key.toStdString();
    };
    switch (command.verb) {
    case Verb::Begin:
        of() << " payload " << command.fingerprint << " attempt " << command.attemptId << " lease "
             << (command.lease == 0 ? "of the policy" : text(command.ownLease()));
        if (command.amount > 0) {
            out << " wait " << command.amount << " us" << (command.overrideLive ? ", dropping what it gets" : "");
        }
        break;
    case Verb::Complete:
        of() << " by " << nameOf(command.who) << " with ";
        printAnswer(out, command.response());
        break;
    case Verb::Fail:
        of() << " by " << nameOf(command.who) << " for reason " << command.reason;
        break;
    case Verb::Renew:
    case Verb::Release:
    case Verb::SideEffectStarted:
    case Verb::MarkUnknown:
        of() << " by " << nameOf(command.who);
        break;
    case Verb::Abandon:
    case Verb::Settle:
    case Verb::Purge:
        printOperator(of(), command);
        break;
    case Verb::Find:
        of();
        break;
    case Verb::List:
        printListing(out, command.listing);
        break;
    case Verb::BeginMany:
        for (const Command &begin : command.batch) {
            out << "\n       " << begin;
        }
        break;
    case Verb::BadBegin:
        out << " of kind " << command.amount;
        break;
    case Verb::Advance:
        printSpan(out, command);
        break;
    case Verb::WallJump:
        out << " by " << command.amount << " us";
        break;
    default:
        break;
    }
    return out;
}

std::ostream &operator<<(std::ostream &out, const Setup &setup)
{
    const Policy &policy = setup.policy;
    constexpr std::array lapses {"takeover", "hold", "takeover-always"};
    constexpr std::array origins {"completion", "begin", "sliding"};
    return out << policy.semantics.name.toStdString() << ", " << setup.shards << " shards, lease " << text(policy.lease)
               << ", ttl " << policy.ttl.count() << " us from " << origins.at(static_cast<std::size_t>(policy.ttlFrom))
               << ", lapse " << lapses.at(static_cast<std::size_t>(policy.lapse)) << ", late "
               << (policy.late == LatePolicy::Strict ? "strict" : "accept") << ", final "
               << toString(policy.finalAnswers).toStdString() << ", stuck after " << policy.stuckAfter.count()
               << " us, cap " << policy.maxRecords << " records"
               << (policy.atCapacity == AtCapacity::EvictOldest ? " evicting, " : ", ") << policy.maxBodyBytes
               << " bytes, sweep every " << policy.sweepInterval.count() << " us, wait " << policy.maxWait.count()
               << " us, waiters " << policy.maxWaitersPerKey << ", keys from " << policy.key.minBytes << " to "
               << policy.key.maxBytes << " bytes, history of " << policy.historyEvents;
}

std::ostream &operator<<(std::ostream &out, const History &history)
{
    out << "\n  store: " << history.setup;
    for (std::size_t i = 0; i < history.commands.size(); ++i) {
        out << "\n  " << i + 1 << ". " << history.commands[i];
    }
    return out << '\n';
}

} // namespace idem::test
