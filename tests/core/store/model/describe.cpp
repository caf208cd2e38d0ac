// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/describe.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <sstream>

namespace idem::test {

namespace {

std::string number(Instant moment)
{
    return std::to_string(moment.time_since_epoch().count());
}

std::string number(WallTime moment)
{
    return std::to_string(moment.time_since_epoch().count());
}

std::string nameOf(State state)
{
    return toString(state).toStdString();
}

/// The reason of an owner's fail; nothing for an operator's abandon, whose wording is free but may not tell its reason.
QByteArray reasonOf(const QByteArray &body)
{
    const QJsonObject problem = QJsonDocument::fromJson(body).object();
    if (problem.isEmpty()) {
        return body; // the reference store's own
    }
    const QString code = problem[QStringLiteral("code")].toString();
    const QString detail = problem[QStringLiteral("detail")].toString();
    if (code != QStringLiteral("operation-failed")) {
        return "unexpected code " + code.toUtf8();
    }
    return detail.startsWith(QStringLiteral("ticket")) || detail.isEmpty() ? detail.toUtf8() : QByteArray();
}

} // namespace

std::string describe(const AnswerPtr &answer)
{
    if (!answer) {
        return "no answer";
    }
    std::string text = std::to_string(answer->status);
    bool isProblem = false;
    for (const auto &[name, value] : answer->headers) {
        text += ' ' + name.toStdString() + ": " + value.toStdString();
        isProblem = isProblem || value == "application/problem+json";
    }
    if (isProblem) {
        return text + " problem \"" + reasonOf(answer->body.value_or(QByteArray())).toStdString() + '"';
    }
    if (!answer->body) {
        return text + " without a body";
    }
    return text + " \"" + answer->body->left(12).toStdString() + "\" of " + std::to_string(answer->body->size());
}

std::string describe(const ResponsePtr &response)
{
    return describe(toAnswer(response));
}

std::string describe(const std::optional<Instant> &moment)
{
    return moment ? number(*moment) : "none";
}

std::string describe(const Begun &begun)
{
    std::ostringstream out;
    out << toString(begun.kind).toStdString() << " fence " << toNumber(begun.issued.fence) << " token "
        << QByteArray::fromRawData(reinterpret_cast<const char *>(begun.issued.token.bytes.data()), 16)
               .toHex()
               .toStdString()
        << " attempt " << begun.attempt << (begun.tookOver ? " took over" : "") << " lease end "
        << describe(begun.leaseEnd) << " started " << number(begun.startedAt) << " state " << nameOf(begun.state)
        << " answer " << describe(begun.response) << (begun.failed ? " failed" : "") << (begun.late ? " late" : "")
        << " stored " << number(begun.storedAt) << " expires " << number(begun.expiresAt) << " original "
        << begun.originalStatus << " reason " << toString(begun.reason).toStdString();
    return out.str();
}

std::string describe(const StoreError &error)
{
    return "refused " + toString(error.code).toStdString() + ", fence " + std::to_string(toNumber(error.currentFence))
        + ", state " + (error.state ? nameOf(*error.state) : "none");
}

std::string describe(const Completion &completion)
{
    return nameOf(completion.state) + (completion.late ? " late" : "") + (completion.repeated ? " repeated" : "")
        + (completion.overwrote ? " overwrote" : "") + (completion.bodyOmitted ? " omitted" : "");
}

std::string describe(const RecordView &view)
{
    std::ostringstream out;
    out << view.identity.tenant.toStdString() << '/' << view.identity.caller.toStdString() << '/'
        << view.identity.key.toStdString() << ' ' << nameOf(view.state) << " fence " << toNumber(view.fence)
        << " attempt " << view.attempt << " owner " << view.owner.toStdString() << " payload "
        << view.fingerprint.toStdString() << " created " << number(view.createdAt) << " started "
        << number(view.startedAt) << " renewed " << describe(view.renewedAt) << " lease end " << describe(view.leaseEnd)
        << " expires " << describe(view.expiresAt) << " created wall " << number(view.createdWall) << " changed wall "
        << number(view.changedWall) << (view.late ? " late" : "") << (view.bodyOmitted ? " omitted" : "")
        << (view.sideEffect ? " side effect" : "") << (view.stuck ? " stuck" : "") << " status " << view.status
        << " replays " << view.replays << " conflicts " << view.conflicts << " mismatches " << view.mismatches
        << " waiting " << view.waiting << " seen " << number(view.observedAt);
    return out.str();
}

std::string describe(const std::optional<RecordView> &view)
{
    return view ? describe(*view) : "absent";
}

std::string describe(const StoreEvent &event)
{
    std::ostringstream out;
    out << toString(event.kind).toStdString();
    if (event.outcome) {
        out << ' ' << toString(*event.outcome).toStdString();
    }
    out << " at " << number(event.at) << ' ' << event.identity.tenant.toStdString() << '/'
        << event.identity.key.toStdString() << " fence " << toNumber(event.fence) << " attempt " << event.attempt
        << " state " << nameOf(event.state) << " owner " << event.owner.toStdString() << " reason "
        << event.reason.toStdString() << " answer " << describe(event.response);
    return out.str();
}

std::string describe(const Counters &counters)
{
    std::ostringstream out;
    out << "outcomes";
    for (const std::uint64_t count : counters.outcomes) {
        out << ' ' << count;
    }
    out << " states";
    for (const std::uint64_t count : counters.byState) {
        out << ' ' << count;
    }
    out << " records " << counters.records << " bytes " << counters.bytes << " stuck " << counters.stuck
        << " completed " << counters.completed << " failed " << counters.failed << " released " << counters.released
        << " abandoned " << counters.abandoned << " takeovers " << counters.takeovers << " late "
        << counters.lateCompletes << " stale " << counters.staleRefused << " expired " << counters.expired
        << " evicted " << counters.evicted << " purged " << counters.purged << " waiting " << counters.waiting;
    return out.str();
}

std::string describe(const std::vector<std::uint64_t> &numbers)
{
    std::string text;
    for (const std::uint64_t count : numbers) {
        text += ' ' + std::to_string(count);
    }
    return text;
}

Begun toBegun(Outcome outcome)
{
    Begun begun;
    begun.kind = kindOf(outcome);
    if (auto *fresh = std::get_if<Fresh>(&outcome)) {
        begun.leaseEnd = fresh->claim.leaseEnd();
        const Ownership owner = fresh->claim.detach();
        begun.issued = {owner.fence, owner.token};
        begun.attempt = fresh->attempt;
        begun.tookOver = fresh->tookOver;
    } else if (const auto *other = std::get_if<InProgress>(&outcome)) {
        begun.issued.fence = other->fence;
        begun.startedAt = other->startedAt;
        begun.leaseEnd = other->leaseEnd;
    } else if (const auto *replay = std::get_if<Replay>(&outcome)) {
        begun.issued.fence = replay->fence;
        begun.response = toAnswer(replay->response);
        begun.failed = replay->failed;
        begun.late = replay->late;
        begun.storedAt = replay->storedAt;
        begun.expiresAt = replay->expiresAt;
    } else if (const auto *mismatch = std::get_if<Mismatch>(&outcome)) {
        begun.issued.fence = mismatch->fence;
        begun.state = mismatch->state;
    } else if (const auto *unknown = std::get_if<Unknown>(&outcome)) {
        begun.issued.fence = unknown->fence;
        begun.state = unknown->state;
    } else if (const auto *notStored = std::get_if<NotStored>(&outcome)) {
        begun.issued.fence = notStored->fence;
        begun.originalStatus = notStored->originalStatus;
    } else if (const auto *rejected = std::get_if<Rejected>(&outcome)) {
        begun.reason = rejected->reason;
    }
    return begun;
}

} // namespace idem::test
