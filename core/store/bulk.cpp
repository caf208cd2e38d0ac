// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/bulk.h"

#include "core/store/memory/constant_time.h"

#include <QRandomGenerator>

#include <algorithm>
#include <map>
#include <utility>

namespace idem {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype maxReasonCharacters = 1000;
/// How many ended tokens are remembered, to tell a used one from an unknown one.
constexpr std::size_t endedTokensKept = 64;

tl::unexpected<StoreError> invalid(const QString &message)
{
    return tl::unexpected(StoreError {StoreErrorCode::Invalid, message});
}

QByteArray makeToken()
{
    std::array<quint32, 8> words {};
    QRandomGenerator::system()->fillRange(words.data(), qsizetype(words.size()));
    const auto raw = QByteArray::fromRawData(reinterpret_cast<const char *>(words.data()), sizeof(words));
    return raw.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

/// Each renewal ends the lease one lease after itself, so their distance is the attempt's lease.
bool hasLiveOwner(const RecordView &view)
{
    return view.state == State::InProgress && view.renewedAt && view.leaseEnd
        && view.observedAt < saturatingAdd(*view.renewedAt, (*view.leaseEnd - *view.renewedAt) / 3);
}

bool appliesTo(BulkVerb verb, State state)
{
    switch (verb) {
    case BulkVerb::Abandon:
        return state == State::InProgress || state == State::LeaseExpired;
    case BulkVerb::Purge:
        return state == State::Completed || state == State::Failed || state == State::Abandoned;
    case BulkVerb::Settle:
        return state == State::OutcomeUnknown;
    }
    Q_UNREACHABLE();
}

BulkItem toItem(const BulkRequest &request, const RecordView &view)
{
    BulkItem item {view.id, view.identity, view.fence, view.state, hasLiveOwner(view), {}};
    if (!appliesTo(request.verb, view.state)) {
        item.refusal = StoreErrorCode::WrongState;
    } else if (request.verb == BulkVerb::Abandon && item.hasLiveOwner && !request.overrideLive) {
        item.refusal = StoreErrorCode::LiveOwner;
    }
    return item;
}

/// Why a run leaves this item alone.
StoreError reviewedRefusal(const BulkItem &item)
{
    const QString message = item.refusal == StoreErrorCode::LiveOwner
        ? u"The owner had renewed its lease lately when this was reviewed: review again, or override."_s
        : u"This was %1 when it was reviewed, where the verb does not apply."_s.arg(toString(item.state));
    return {*item.refusal, message, item.fence, item.state};
}

Result<void> checkScope(const BulkRequest &request)
{
    if (request.tenant.isEmpty() && !request.allTenants) {
        return invalid(u"A bulk needs a tenant, or all tenants by name."_s);
    }
    if (!request.tenant.isEmpty() && request.allTenants) {
        return invalid(u"A bulk is about one tenant or about all of them, not both."_s);
    }
    return {};
}

Query firstPage(const BulkRequest &request, std::size_t limit)
{
    Query query = request.which;
    if (!request.tenant.isEmpty()) {
        query.filter = query.filter.with(Filter::ofTenant(request.tenant)); // both must hold, whatever the filter says
    }
    query.sort = SortKey::Fence;
    query.descending = false;
    query.limit = limit;
    query.cursor.clear();
    return query;
}

} // namespace

BulkReviews::BulkReviews(Store &store, BulkOptions options)
    : m_store(store)
    , m_options(options)
{
    Q_ASSERT(options.maxItems >= 1 && options.maxOpen >= 1 && options.validity > Duration::zero());
}

Result<BulkReview> BulkReviews::review(const BulkRequest &request)
{
    if (const auto scope = checkScope(request); !scope) {
        return tl::unexpected(scope.error());
    }
    if (request.verb == BulkVerb::Abandon && m_store.policy().semantics.abandonAnyState) {
        return invalid(u"Under these semantics abandon compares no fence: a bulk could not keep to its review."_s);
    }
    BulkReview review;
    review.observedAt = m_store.clock().now();
    review.validUntil = saturatingAdd(review.observedAt, m_options.validity);
    auto items = listItems(request);
    if (!items) {
        return tl::unexpected(items.error());
    }
    review.items = std::move(*items);
    for (const BulkItem &item : review.items) {
        ++review.byState[static_cast<std::size_t>(item.state)];
        review.liveOwners += item.hasLiveOwner ? 1 : 0;
        review.refusals += item.refusal ? 1 : 0;
    }
    review.token = makeToken();
    keep({review.token, review.validUntil, {request, review.items}, Phase::Open});
    return review;
}

Result<std::vector<BulkItem>> BulkReviews::listItems(const BulkRequest &request) const
{
    std::vector<BulkItem> items;
    std::map<decltype(RecordId::bytes), std::size_t> places;
    Query query = firstPage(request, m_options.pageRecords);
    do {
        const Result<Page> page = m_store.list(query);
        if (!page) {
            return tl::unexpected(page.error());
        }
        for (const RecordView &view : page->records) {
            const auto [place, isNew] = places.try_emplace(view.id.bytes, items.size());
            if (isNew) {
                items.push_back(toItem(request, view));
            } else { // began anew between two pages, and came again under its later fence
                items[place->second] = toItem(request, view);
            }
        }
        const std::size_t found = std::max<std::size_t>(items.size(), page->total);
        if (found > m_options.maxItems) {
            return invalid(
                u"%1 records match, but a bulk takes %2 at most: narrow the filter by state or key."_s.arg(found).arg(
                    m_options.maxItems));
        }
        query.cursor = page->nextCursor;
    } while (!query.cursor.isEmpty());
    return items;
}

Result<BulkReport> BulkReviews::run(
    QByteArrayView token, const BulkConfirmation &confirmation, const BulkProgress &progress)
{
    Result<Reviewed> taken = take(token, confirmation);
    if (!taken) {
        return tl::unexpected(taken.error());
    }
    const std::size_t total = taken->items.size();
    BulkReport report;
    report.results.reserve(total);
    for (BulkItem &item : taken->items) {
        const std::size_t behind = report.done + report.refused;
        BulkResult result {std::move(item), BulkFate::Skipped, {}};
        if (report.skipped > 0 || (progress && !progress(behind, total))) {
            ++report.skipped;
        } else if (const auto applied = apply(taken->request, result.item, confirmation.reason); applied) {
            result.fate = BulkFate::Done;
            ++report.done;
        } else {
            result.fate = BulkFate::Refused;
            result.error = applied.error();
            ++report.refused;
        }
        report.results.push_back(std::move(result));
    }
    if (progress) {
        progress(report.done + report.refused, total);
    }
    return report;
}

Result<void> BulkReviews::apply(const BulkRequest &request, const BulkItem &item, const QString &reason)
{
    if (item.refusal) {
        return tl::unexpected(reviewedRefusal(item));
    }
    const auto withoutView = [](const Result<RecordView> &result) {
        return result ? Result<void>() : tl::unexpected(result.error());
    };
    switch (request.verb) {
    case BulkVerb::Abandon:
        return withoutView(
            m_store.abandon(item.identity, {item.fence, reason, request.abandonAs, request.overrideLive}));
    case BulkVerb::Purge:
        return m_store.purge(item.identity, item.fence, reason);
    case BulkVerb::Settle:
        return withoutView(m_store.settle(item.identity, {item.fence, reason, std::nullopt}));
    }
    Q_UNREACHABLE();
}

void BulkReviews::keep(Entry entry)
{
    const auto isOpen = [](const Entry &some) { return some.phase == Phase::Open; };
    const std::lock_guard lock(m_mutex);
    if (std::size_t(std::ranges::count_if(m_entries, isOpen)) >= m_options.maxOpen) {
        Entry &oldest = *std::ranges::find_if(m_entries, isOpen);
        oldest.phase = Phase::Replaced;
        oldest.reviewed = {};
    }
    if (m_entries.size() >= m_options.maxOpen + endedTokensKept) {
        m_entries.erase(std::ranges::find_if_not(m_entries, isOpen));
    }
    m_entries.push_back(std::move(entry));
}

Result<BulkReviews::Reviewed> BulkReviews::take(QByteArrayView token, const BulkConfirmation &confirmation)
{
    const std::lock_guard lock(m_mutex);
    const auto found = std::ranges::find_if(
        m_entries, [token](const Entry &some) { return memory::equalsInConstantTime(some.token, token); });
    if (found == m_entries.end()) {
        return invalid(u"This token is not known here: review again."_s);
    }
    if (found->phase == Phase::Used) {
        return invalid(u"This token was used: a review runs once."_s);
    }
    if (found->phase == Phase::Replaced) {
        return invalid(u"This review was replaced by newer ones: review again."_s);
    }
    if (m_store.clock().now() >= found->validUntil) {
        return invalid(u"This review is too old: review again."_s);
    }
    if (confirmation.reason.isEmpty() || confirmation.reason.size() > maxReasonCharacters) {
        return invalid(u"The reason must be 1 to 1,000 characters."_s);
    }
    if (confirmation.count != found->reviewed.items.size()) {
        return invalid(u"%1 records were reviewed, not %2: nothing was changed."_s.arg(found->reviewed.items.size())
                           .arg(confirmation.count));
    }
    found->phase = Phase::Used;
    return std::exchange(found->reviewed, {});
}

} // namespace idem
