// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/history_gen.h"

#include <gtest/gtest.h>

#include <sstream>

namespace idem::test {

namespace {

using rc::Gen;
namespace gen = rc::gen;

Gen<int> upTo(int count)
{
    return gen::inRange(0, count);
}

/// Mostly few keys, so that histories meet on them.
template <typename... Parts> Gen<Command> command(Verb verb, Parts... parts)
{
    return gen::build(gen::just(Command {.verb = verb}),
        gen::set(&Command::tenant, gen::weightedElement<int>({{4, 0}, {1, 1}})),
        gen::set(&Command::key, gen::weightedElement<int>({{6, 0}, {2, 1}, {1, 2}})), std::move(parts)...);
}

Gen<Command> plain(Verb verb)
{
    return gen::just(Command {.verb = verb});
}

auto who()
{
    return gen::set(&Command::who,
        gen::weightedElement<Who>(
            {{12, Who::Current}, {3, Who::Displaced}, {1, Who::Foreign}, {1, Who::MadeUp}, {1, Who::WrongFence}}));
}

auto looked()
{
    return gen::set(
        &Command::looked, gen::weightedElement<Looked>({{10, Looked::Right}, {1, Looked::Older}, {1, Looked::None}}));
}

auto reason()
{
    return gen::set(&Command::reason, gen::weightedElement<int>({{12, 1}, {2, 2}, {1, 0}}));
}

auto answer()
{
    return gen::set(&Command::answer, upTo(answerCount));
}

auto fingerprint()
{
    return gen::set(&Command::fingerprint, gen::weightedElement<int>({{8, 1}, {1, 2}, {1, 0}}));
}

auto ownLease()
{
    return gen::set(&Command::lease, gen::weightedElement<int>({{8, 0}, {1, 1}, {2, 2}, {2, 3}, {1, 4}}));
}

Gen<Command> genBegin()
{
    return command(Verb::Begin, fingerprint(), ownLease(),
        gen::set(&Command::attemptId, gen::weightedElement<int>({{4, 0}, {2, 1}, {1, 2}})));
}

/// Of keys that may meet within the batch.
Gen<Command> genBatch()
{
    return gen::build(gen::just(Command {.verb = Verb::BeginMany}),
        gen::set(&Command::batch, gen::resize(8, gen::container<std::vector<Command>>(genBegin()))));
}

Gen<Command> genAbandon()
{
    return command(Verb::Abandon, looked(), reason(),
        gen::set(&Command::as, gen::element(AbandonAs::Release, AbandonAs::Failed, AbandonAs::Unknown)),
        gen::set(&Command::overrideLive, gen::weightedElement<bool>({{3, false}, {1, true}})));
}

Gen<Command> genSettle()
{
    return command(Verb::Settle, looked(), reason(), gen::set(&Command::answer, gen::inRange(-2, answerCount)));
}

Gen<Listing> genListing()
{
    return gen::build<Listing>(gen::set(&Listing::states,
                                   gen::weightedOneOf<std::vector<State>>({{3, gen::just(std::vector<State>())},
                                       {1,
                                           gen::unique<std::vector<State>>(2,
                                               gen::element(State::InProgress, State::Completed, State::LeaseExpired,
                                                   State::Abandoned, State::OutcomeUnknown, State::Failed))}})),
        gen::set(&Listing::tenant, gen::element(QByteArray(), QByteArray("acme"), QByteArray("globex"))),
        gen::set(&Listing::keyPrefix, gen::element(QByteArray(), QByteArray("p"))),
        gen::set(&Listing::stuckOnly, gen::weightedElement<bool>({{4, false}, {1, true}})),
        gen::set(&Listing::sort, gen::element(SortKey::Fence, SortKey::LeaseEnd, SortKey::Expiry)),
        gen::set(&Listing::descending), gen::set(&Listing::limit, gen::element<std::size_t>(500, 1, 2, 3)));
}

Gen<Command> genAdvance()
{
    return gen::build(gen::just(Command {.verb = Verb::Advance}),
        gen::set(&Command::span,
            gen::weightedElement<Span>({{2, Span::Ticks}, {4, Span::ToBoundary}, {2, Span::BeforeBoundary}})),
        gen::set(&Command::amount, gen::weightedOneOf<int>({{3, upTo(3)}, {1, gen::inRange(0, 70)}})));
}

Gen<Command> genReading()
{
    return gen::oneOf(plain(Verb::Counters), plain(Verb::Forecast), command(Verb::Find),
        gen::build(gen::just(Command {.verb = Verb::List}), gen::set(&Command::listing, genListing())));
}

Gen<Command> genCommand()
{
    return gen::weightedOneOf<Command>({{24, genBegin()}, {16, command(Verb::Complete, who(), answer())},
        {4, command(Verb::Fail, who(), gen::set(&Command::reason, gen::inRange(1, reasonCount)))},
        {6, command(Verb::Renew, who())}, {5, command(Verb::Release, who())},
        {5, command(Verb::SideEffectStarted, who())}, {4, command(Verb::MarkUnknown, who())}, {7, genAbandon()},
        {6, genSettle()}, {4, command(Verb::Purge, looked(), reason())}, {20, genAdvance()}, {5, plain(Verb::Sweep)},
        {8, genReading()}, {4, genBatch()},
        {1, command(Verb::BadBegin, gen::set(&Command::amount, upTo(badBeginCount)))},
        {1,
            gen::build(
                gen::just(Command {.verb = Verb::WallJump}), gen::set(&Command::amount, gen::inRange(-1000, 1000)))}});
}

/// The Rust seed has no other verbs: begin, complete and abandon.
Gen<Command> genRustSeedCommand()
{
    return gen::weightedOneOf<Command>(
        {{24, command(Verb::Begin, fingerprint())}, {16, command(Verb::Complete, who(), answer())}, {8, genAbandon()},
            {16, genAdvance()}, {4, plain(Verb::Sweep)}, {6, genReading()}});
}

/// The Go seed's: Acquire, Commit with a result or an error, Release.
Gen<Command> genGoSeedCommand()
{
    return gen::weightedOneOf<Command>({{8, genRustSeedCommand()},
        {1, command(Verb::Fail, who(), gen::set(&Command::reason, gen::inRange(1, reasonCount)))},
        {1, command(Verb::Release, who())}});
}

Gen<Duration> ticks(std::initializer_list<Duration::rep> counts)
{
    return gen::map(
        gen::elementOf(std::vector<Duration::rep>(counts)), [](Duration::rep count) { return Duration(count); });
}

/// Durations of few ticks, so that boundaries are many and near.
Gen<Policy> genPolicy()
{
    return gen::build<Policy>(
        gen::set(&Policy::lease,
            gen::oneOf(gen::map(ticks({9, 60, 10, 1}), [](Duration lease) { return std::optional(lease); }),
                gen::just(std::optional<Duration>()))),
        gen::set(&Policy::ttl, ticks({20, 0, 100, 1})),
        gen::set(&Policy::ttlFrom, gen::element(ExpiryOrigin::Completion, ExpiryOrigin::Begin, ExpiryOrigin::Sliding)),
        gen::set(&Policy::lapse, gen::element(LapsePolicy::Takeover, LapsePolicy::Hold, LapsePolicy::TakeoverAlways)),
        gen::set(&Policy::late, gen::element(LatePolicy::Accept, LatePolicy::Strict)),
        gen::set(&Policy::finalAnswers,
            gen::element(FinalPreset::Default, FinalPreset::SuccessOnly, FinalPreset::StripeV1, FinalPreset::Powertools,
                FinalPreset::SeedRust, FinalPreset::SeedGo, FinalPreset::SeedGoCacheErrors)),
        gen::set(&Policy::stuckAfter, ticks({25, 1})),
        gen::set(&Policy::maxRecords, gen::weightedElement<qint64>({{3, 1000}, {1, 2}, {1, 1}})),
        gen::set(&Policy::atCapacity, gen::element(AtCapacity::Refuse, AtCapacity::EvictOldest)),
        gen::set(&Policy::key,
            gen::weightedElement<KeyPolicy>({{12, {}}, {1, {.minBytes = 2, .maxBytes = 3}}, {1, {.maxBytes = 1}}})),
        gen::set(&Policy::historyEvents, gen::element(0, 1, 3)),
        gen::set(&Policy::maxBodyBytes, gen::element<qsizetype>(1000, 300)),
        gen::set(&Policy::sweepInterval, ticks({maxPolicyDuration.count(), 7})));
}

Gen<Setup> genSetup(const Gen<Policy> &policy)
{
    return gen::build<Setup>(gen::set(&Setup::policy, policy), gen::set(&Setup::shards, gen::element(1, 4, 64)));
}

Gen<History> histories(const Gen<Setup> &setup, const Gen<Command> &command, bool mayClose)
{
    auto commands = gen::container<std::vector<Command>>(command);
    if (mayClose) {
        // Closing is final, so that it must be rare: one history in eight goes on a little behind it.
        commands = gen::weightedOneOf<std::vector<Command>>(
            {{7, commands}, {1, gen::map(gen::tuple(commands, gen::resize(10, commands)), [](const auto &parts) {
                                 std::vector<Command> all = std::get<0>(parts);
                                 all.push_back({.verb = Verb::Close});
                                 all.insert(all.end(), std::get<1>(parts).begin(), std::get<1>(parts).end());
                                 return all;
                             })}});
    }
    return gen::build<History>(gen::set(&History::setup, setup), gen::set(&History::commands, commands));
}

} // namespace

Gen<History> genHistory()
{
    return histories(genSetup(genPolicy()), genCommand(), true);
}

Gen<History> genSeedHistory(const Semantics &semantics)
{
    const auto seeds = gen::map(genPolicy(), [semantics](Policy policy) {
        policy.semantics = semantics;
        if (semantics.zeroTtlMeans > Duration::zero()) {
            policy.semantics.zeroTtlMeans = 50us; // near enough for a history to see its end
        }
        policy.lease.reset();
        policy.maxRecords = 1000;
        policy.key = {};
        return policy;
    });
    const bool isRust = semantics.name == Semantics::seedRust().name;
    return histories(genSetup(seeds), isRust ? genRustSeedCommand() : genGoSeedCommand(), false);
}

Gen<History> genWaitingHistory()
{
    // It sweeps when told to: whether its own sweep or a wait's end comes first at one tick is no rule.
    const auto waiting = gen::build<Policy>(genPolicy(),
        gen::set(
            &Policy::lease, gen::weightedElement<std::optional<Duration>>({{3, 60us}, {2, 9us}, {1, std::nullopt}})),
        gen::set(&Policy::maxWait, ticks({1000, 1000, 1000, 40, 40, 0})),
        gen::set(&Policy::maxWaitersPerKey, gen::weightedElement<int>({{4, 64}, {1, 2}, {1, 1}})),
        gen::set(&Policy::atCapacity, gen::just(AtCapacity::Refuse)),
        gen::set(&Policy::sweepInterval, gen::just(Duration(maxPolicyDuration))));
    const auto begin = command(Verb::Begin, fingerprint(), ownLease(),
        gen::set(&Command::attemptId, gen::weightedElement<int>({{6, 0}, {1, 1}})),
        gen::set(&Command::amount, gen::element(9, 30, 5, 0, 500)),
        gen::set(&Command::overrideLive, gen::weightedElement<bool>({{4, false}, {1, true}})));
    return histories(genSetup(waiting), gen::weightedOneOf<Command>({{3, begin}, {5, genCommand()}}), true);
}

void expectNoDifference(
    int histories, const Gen<History> &gen, const std::function<std::string(const History &)> &firstDifference)
{
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    const QByteArray chosen = qgetenv("RC_PARAMS");
    if (!chosen.contains("seed")) {
        params.seed = 20'260'101; // a run is repeatable unless another is asked for
    }
    if (!chosen.contains("max_success")) {
        params.maxSuccess = histories;
    }
    const auto result = rc::detail::checkTestable(
        [&] {
            const History history = *gen;
            const std::string difference = firstDifference(history);
            if (!difference.empty()) {
                RC_FAIL(difference);
            }
        },
        rc::detail::TestMetadata(), params);
    std::ostringstream message;
    rc::detail::printResultMessage(result, message);
    EXPECT_TRUE(result.is<rc::detail::SuccessResult>())
        << message.str() << "\nRun it again: RC_PARAMS=\"seed=" << params.seed << " max_success=" << params.maxSuccess
        << '"';
}

} // namespace idem::test
