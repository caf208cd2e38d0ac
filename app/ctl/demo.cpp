// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command.h"
#include "core/store/memory_store.h"

#include <QCommandLineParser>

namespace idem::ctl {

namespace {

QString describe(const Outcome &outcome)
{
    if (const auto *replay = std::get_if<Replay>(&outcome)) {
        return QStringLiteral("%1 %2")
            .arg(replay->response->status())
            .arg(QString::fromUtf8(replay->response->body().value_or(QByteArray())));
    }
    return toString(kindOf(outcome)).replace(u'_', u' ');
}

/// Begins `key` and prints what came of it; true when it is what the contract asks for.
bool attempt(
    Store &store, const char *label, const char *key, OutcomeKind wanted, std::optional<Fresh> *fresh = nullptr)
{
    Outcome outcome = store.begin({.tenant = "demo", .key = key});
    const bool printed = writeOut(QStringLiteral("%1: %2\n").arg(QString::fromLatin1(label), describe(outcome)));
    const bool right = kindOf(outcome) == wanted;
    if (right && fresh != nullptr)
        *fresh = std::move(std::get<Fresh>(outcome));
    return printed && right;
}

bool replayOfTheFirstAnswer(const Response &answer)
{
    MemoryStore store;
    std::optional<Fresh> owner;
    if (!attempt(store, "first request", "order-1", OutcomeKind::Fresh, &owner)
        || !attempt(store, "duplicate while running", "order-1", OutcomeKind::InProgress))
        return false;
    return owner->claim.complete(answer).has_value() && attempt(store, "replay", "order-1", OutcomeKind::Replay);
}

bool neverReplayWithTtlZero(const Response &answer)
{
    MemoryStore store({.policy = {.ttl = Duration::zero()}});
    Outcome outcome = store.begin({.tenant = "demo", .key = "order-1"});
    auto *owner = std::get_if<Fresh>(&outcome);
    return owner != nullptr && owner->claim.complete(answer).has_value()
        && attempt(store, "ttl zero", "order-1", OutcomeKind::Fresh);
}

bool freshAfterAbandon()
{
    MemoryStore store;
    const Outcome outcome = store.begin({.tenant = "demo", .key = "order-2"});
    const auto *owner = std::get_if<Fresh>(&outcome);
    if (owner == nullptr)
        return false;
    const auto abandoned = store.abandon(owner->claim.ownership().identity,
        {.expectedFence = owner->claim.fence(), .reason = QStringLiteral("demonstration")});
    return abandoned.has_value() && attempt(store, "after abandon", "order-2", OutcomeKind::Fresh);
}

} // namespace

ExitCode runDemo(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Shows the three answers of an idempotency-key store, TTL 0 and abandon, on a store in memory.\n"
                       "Exit code 1 when an answer is not what the contract asks for."));
    if (const auto over = parse(parser, arguments))
        return *over;
    if (!parser.positionalArguments().isEmpty())
        return fail(ExitCode::Usage, QStringLiteral("demo takes no arguments."));

    const Response answer {.status = 201, .headers = {}, .body = QByteArray(R"({"id":1})")};
    const bool right = replayOfTheFirstAnswer(answer) && neverReplayWithTtlZero(answer) && freshAfterAbandon();
    return right ? ExitCode::Ok : fail(ExitCode::CheckFailed, QStringLiteral("the last answer is not the right one."));
}

} // namespace idem::ctl
