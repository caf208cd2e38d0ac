// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/differential.h"

#include <algorithm>
#include <deque>

namespace idem::test {

namespace {

std::string joined(std::vector<std::string> lines, bool inAnyOrder)
{
    if (inAnyOrder) {
        std::ranges::sort(lines);
    }
    std::string all;
    for (const std::string &line : lines) {
        all += "\n      " + line;
    }
    return all;
}

/// What a record takes beside its texts and its answer.
std::uint64_t fixedBytes()
{
    ManualClock clock;
    ManualScheduler scheduler(clock);
    const auto store = makeStore({}, clock, scheduler);
    static_cast<void>(toBegun(store->begin({{}, {}, "k"})));
    return store->counters().bytes - 1;
}

} // namespace

std::unique_ptr<MemoryStore> makeStore(const Setup &setup, ManualClock &clock, ManualScheduler &scheduler)
{
    MemoryStoreOptions options;
    options.policy = setup.policy;
    options.clock = &clock;
    options.scheduler = &scheduler;
    options.shards = setup.shards;
    return std::make_unique<MemoryStore>(std::move(options));
}

std::string difference(const std::string &what, const std::string &actual, const std::string &expected)
{
    return actual == expected ? std::string() : what + "\n    store:     " + actual + "\n    reference: " + expected;
}

Differential::Differential(const Setup &setup)
    : m_store(makeStore(setup, m_clock, m_scheduler))
    , m_model(setup.policy)
    , m_stream(m_store->subscribe(65'536))
    , m_nextSweep(m_clock.now() + setup.policy.sweepInterval)
    , m_recordBytes(fixedBytes())
{
}

std::string Differential::run(const Command &command)
{
    m_events.clear();
    m_model.forgetGone();
    std::string result = dispatch(command);
    if (result.empty()) {
        result = m_model.fault();
    }
    if (result.empty()) {
        result = compareEvents(command.verb == Verb::Sweep || command.verb == Verb::Advance);
    }
    if (result.empty()) {
        result = compareRecord(command.identity());
    }
    return result;
}

std::string Differential::dispatch(const Command &command)
{
    if (isOwnerVerb(command.verb)) {
        const Ownership owner = m_cast.ownerFor(command, m_model);
        return both([&] { return callOwnerVerb(*m_store, command, owner); },
            [&] { return callOwnerVerb(m_model, command, owner, moment()); });
    }
    if (isOperatorVerb(command.verb)) {
        const Fence fence = Cast::fenceFor(command, m_model);
        return both([&] { return callOperatorVerb(*m_store, command, fence); },
            [&] { return callOperatorVerb(m_model, command, fence, moment()); });
    }
    switch (command.verb) {
    case Verb::Begin:
    case Verb::BadBegin:
        return runBegin(command);
    case Verb::BeginMany:
        return runBatch(command);
    case Verb::Advance:
        return advance(Cast::spanFor(command, m_model, m_clock.now()));
    case Verb::WallJump:
        m_clock.setWall(m_clock.wallNow() + Duration(command.amount));
        return {};
    case Verb::Close:
        m_store->close();
        m_model.close();
        m_closed = true;
        return takeEvents();
    default:
        return runRead(command);
    }
}

/// One call on both. The store goes first: only it can choose a fence, and it says which lapses it noticed on the way.
std::string Differential::both(const Text &actual, const Text &expected)
{
    const std::string actually = actual();
    if (std::string fault = takeEvents(); !fault.empty()) {
        return fault;
    }
    return difference("different answers", actually, expected());
}

std::string Differential::runBegin(const Command &command)
{
    const Request request(command);
    const Begun begun = toBegun(m_store->begin(request.begin));
    const std::string fault = takeEvents();
    return fault.empty() ? compareBegun(request, begun) : fault;
}

/// "Each request in its order, as begin() without waiting"
std::string Differential::runBatch(const Command &command)
{
    std::deque<Request> requests;
    std::vector<BeginRequest> begins;
    for (const Command &begin : command.batch) {
        requests.emplace_back(begin);
        begins.push_back(requests.back().begin);
        begins.back().wait = 1s;
    }
    std::vector<Outcome> outcomes = m_store->beginMany(begins);
    if (outcomes.size() != begins.size()) {
        return std::to_string(begins.size()) + " begins, " + std::to_string(outcomes.size()) + " outcomes";
    }
    std::string result;
    for (std::size_t i = 0; i < begins.size() && result.empty(); ++i) {
        const Begun begun = toBegun(std::move(outcomes[i]));
        result = takeEventsOfBegin();
        result = result.empty() ? compareBegun(requests[i], begun) : result;
    }
    for (std::size_t i = 0; i < begins.size() && result.empty(); ++i) {
        result = compareRecord(requests[i].identity);
    }
    return result;
}

std::string Differential::compareBegun(const Request &request, const Begun &begun)
{
    const auto before = m_model.lastOwner(request.identity);
    const Begun expected = m_model.begin(request.begin, moment(), begun.issued);
    std::string result = difference("different answers", tellBegun(begun, policy()), tellBegun(expected, policy()));
    if (!result.empty() || begun.kind != OutcomeKind::Fresh) {
        return result;
    }
    const Ownership issued {request.identity, begun.issued.fence, begun.issued.token};
    if (before == issued) {
        return {}; // the same Fresh again
    }
    // "Fence order is age order", so that it grows over all records, too.
    const bool grows = m_cast.note(issued) && issued.fence > m_lastFence;
    m_lastFence = issued.fence;
    return grows ? std::string() : "a fence that does not grow";
}

std::string Differential::runRead(const Command &command)
{
    switch (command.verb) {
    case Verb::List:
        return compareList(command.listing);
    case Verb::Counters:
        return compareCounters();
    case Verb::Forecast:
        return both([&] { return describe(m_store->expiryForecast(7us, 12)); },
            [&] { return describe(m_model.expiryForecast(7us, 12, m_clock.now())); });
    case Verb::Sweep:
        return both([&] { return std::to_string(m_store->sweepNow()); },
            [&] { return std::to_string(m_model.sweep(moment())); });
    default:
        return takeEvents(); // Find: run() compares the record after every step
    }
}

std::string Differential::compareRecord(const Identity &identity)
{
    const auto view = m_store->find(identity);
    std::string result = difference(
        "different records", tellView(view, policy()), tellView(m_model.find(identity, m_clock.now()), policy()));
    if (result.empty()) {
        result = difference("different stored answers", describe(m_store->response(identity)),
            describe(m_model.response(identity, m_clock.now())));
    }
    if (result.empty()) {
        result = compareHistory(identity);
    }
    if (result.empty() && view) {
        const auto [known, isNew] = m_ids.try_emplace(identity, view->id);
        const auto byId = m_store->find(view->id);
        if (known->second != view->id || !byId || byId->identity != identity) {
            return "an id that does not name its record";
        }
    }
    return result;
}

std::string Differential::compareHistory(const Identity &identity)
{
    const auto tell = [this](Result<std::vector<StoreEvent>> history) {
        if (!history) {
            return describe(history.error());
        }
        std::string all;
        for (const StoreEvent &event : *history) {
            all += "\n      " + tellEvent(event, policy());
        }
        return all;
    };
    return difference(
        "different histories", tell(m_store->history(identity)), tell(m_model.history(identity, m_clock.now())));
}

std::string Differential::compareCounters()
{
    const Counters actual = m_store->counters();
    if (std::string fault = takeEvents(); !fault.empty()) {
        return fault;
    }
    Counters expected = m_model.counters(m_clock.now());
    expected.bytes += expected.records * m_recordBytes;
    if (m_model.keepsFailure() || !policy().semantics.fenced) {
        expected.bytes = actual.bytes; // unfenced, known fault: a new life keeps the texts of the one before
    }
    return difference("different counters", describe(actual), describe(expected));
}

/// Walks all pages.
std::string Differential::compareList(const Listing &listing)
{
    std::vector<std::string> actual;
    Query page = listing.toQuery();
    const auto expectedViews = m_model.list(listing, m_clock.now());
    do {
        const auto answer = m_store->list(page);
        if (!answer) {
            return "a refused page: " + describe(answer.error());
        }
        if (answer->total != expectedViews.size() || answer->observedAt != m_clock.now()
            || answer->records.size() > listing.limit) {
            return "a page of " + std::to_string(answer->records.size()) + " with total "
                + std::to_string(answer->total) + " where " + std::to_string(expectedViews.size()) + " match";
        }
        for (const RecordView &view : answer->records) {
            actual.push_back(tellView(view, policy()));
        }
        page.cursor = answer->nextCursor;
    } while (!page.cursor.isEmpty());
    std::vector<std::string> expected;
    expected.reserve(expectedViews.size());
    for (const RecordView &view : expectedViews) {
        expected.push_back(tellView(view, policy()));
    }
    return takeEvents()
        + difference("different lists", joined(actual, !policy().semantics.fenced),
            joined(expected, !policy().semantics.fenced));
}

std::string Differential::compareAll()
{
    m_events.clear();
    std::string result = compareCounters();
    for (const SortKey sort : {SortKey::Fence, SortKey::LeaseEnd, SortKey::Expiry}) {
        for (const bool isDescending : {false, true}) {
            const Listing all {.sort = sort, .descending = isDescending};
            result += result.empty() ? compareList(all) : std::string();
        }
    }
    for (const auto &[identity, id] : m_ids) {
        result += result.empty() ? compareRecord(identity) : std::string();
    }
    return result;
}

/// The store's own sweeps run on the way, each at its moment.
std::string Differential::advance(Duration span)
{
    m_scheduler.advance(span);
    if (std::string fault = takeEvents(); !fault.empty()) {
        return fault;
    }
    for (; !m_closed && m_nextSweep <= m_clock.now(); m_nextSweep += policy().sweepInterval) {
        m_model.sweep({m_nextSweep, {}});
    }
    return {};
}

/// Takes what the store told since the last time: lapses go to the reference, which checks them; the others are kept.
std::string Differential::takeEvents()
{
    const auto start = std::ssize(m_events);
    for (StoreEvent &event : m_stream->take().events) {
        if (std::string fault = takeEvent(std::move(event), start); !fault.empty()) {
            return fault;
        }
    }
    return {};
}

/// The same, no further than one begin: its last event says how it ended.
std::string Differential::takeEventsOfBegin()
{
    const auto start = std::ssize(m_events);
    while (std::ssize(m_events) == start || m_events.back().kind != EventKind::Begun) {
        EventStream::Batch batch = m_stream->take(1);
        if (batch.events.empty()) {
            return "a begin that was not told";
        }
        if (std::string fault = takeEvent(std::move(batch.events.front()), start); !fault.empty()) {
            return fault;
        }
    }
    return {};
}

/// `start`: of the events of the running call, in which a lapse comes before all else on its record.
std::string Differential::takeEvent(StoreEvent event, std::ptrdiff_t start)
{
    if (event.sequence != ++m_sequence) {
        return "an event's sequence number is " + std::to_string(event.sequence) + ", not "
            + std::to_string(m_sequence);
    }
    if (event.kind != EventKind::LeaseLapsed) {
        if (event.kind == EventKind::Evicted || event.kind == EventKind::Expired) {
            m_model.tellGone(event.identity);
        }
        m_events.push_back(std::move(event));
        return {};
    }
    const bool isFirst = std::none_of(m_events.begin() + start, m_events.end(),
        [&](const StoreEvent &other) { return other.identity == event.identity; });
    const bool isTrue =
        event.state == State::LeaseExpired && isFirst && m_model.tellLapse(event.identity, event.fence, event.at);
    return isTrue ? std::string() : "a lapse that is none: " + describe(event);
}

std::string Differential::compareEvents(bool inAnyOrder)
{
    const auto textsOf = [this](const std::vector<StoreEvent> &events) {
        std::vector<std::string> texts;
        texts.reserve(events.size());
        for (const StoreEvent &event : events) {
            texts.push_back(tellEvent(event, policy()));
        }
        return texts;
    };
    return difference(
        "different events", joined(textsOf(m_events), inAnyOrder), joined(textsOf(m_model.takeEvents()), inAnyOrder));
}

std::string firstDifference(const History &history)
{
    Differential differential(history.setup);
    for (std::size_t i = 0; i < history.commands.size(); ++i) {
        const std::string result = differential.run(history.commands[i]);
        if (!result.empty()) {
            return "step " + std::to_string(i + 1) + ": " + result;
        }
    }
    const std::string result = differential.compareAll();
    return result.empty() ? result : "at the end: " + result;
}

} // namespace idem::test
