// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store.h"

#include <array>
#include <deque>
#include <functional>
#include <mutex>

namespace idem {

/// What a bulk does with each of its records.
enum class BulkVerb : std::uint8_t {
    Abandon,
    Purge,
    Settle, ///< as not executed: a result belongs to one record only
};

/// Which records a bulk is about, and what it would do with them.
struct BulkRequest
{
    /// Its limit, cursor and order are ignored. The scope below holds beside its filter.
    Query which {};
    /// The one tenant whose records are meant. Empty only together with `allTenants`, never both.
    QByteArray tenant {};
    /// Every tenant's records. Said by name, so that no forgotten tenant reaches into all of them.
    bool allTenants = false;
    BulkVerb verb = BulkVerb::Abandon;
    AbandonAs abandonAs = AbandonAs::Release; ///< abandon only
    bool overrideLive = false; ///< abandon only: also where the owner renewed lately
};

/// One reviewed record. A copy, safe to keep.
struct BulkItem
{
    RecordId id {};
    Identity identity {};
    Fence fence = Fence::None;
    State state = State::InProgress;
    /// The owner renewed within the last third of its lease.
    bool hasLiveOwner = false;
    /// Why the verb does not apply to the record as reviewed (WrongState or LiveOwner); none: it does. A run leaves
    /// such a record alone, even when it has changed so that the verb would apply: nobody reviewed that.
    std::optional<StoreErrorCode> refusal {};
};

/// What an operator looks at before a bulk runs. Nothing was changed.
struct BulkReview
{
    QByteArray token {}; ///< for run(): 256 random bits, 43 characters of base64url (RFC 4648 section 5)
    std::vector<BulkItem> items {}; ///< as listed, oldest first
    std::array<std::size_t, StateCount> byState {}; ///< how many items are in each state, by State
    std::size_t liveOwners = 0;
    std::size_t refusals = 0; ///< items with a refusal
    Instant observedAt {}; ///< when the review began
    Instant validUntil {}; ///< the token is good before this moment
};

/// What the operator typed to start a run.
struct BulkConfirmation
{
    std::size_t count = 0; ///< must be the number of items reviewed
    QString reason {}; ///< 1...1,000 characters
};

enum class BulkFate : std::uint8_t {
    Done,
    Refused, ///< `error` tells why
    Skipped, ///< the run was cancelled before it
};

struct BulkResult
{
    BulkItem item {};
    BulkFate fate = BulkFate::Skipped;
    std::optional<StoreError> error {}; ///< of a refused one
};

/// What a run did, item by item, in the review's order. done + refused + skipped = results.size().
struct BulkReport
{
    std::vector<BulkResult> results {};
    std::size_t done = 0;
    std::size_t refused = 0;
    std::size_t skipped = 0; ///< > 0: it was cancelled
};

/// Called before each item and once at the end, with how many items are behind it (done or refused) and how many there
/// are. False before an item cancels: that item and the rest are skipped. Runs on the thread of run(), which holds no
/// lock meanwhile.
using BulkProgress = std::function<bool(std::size_t behind, std::size_t total)>;

/// The bounds of BulkReviews.
struct BulkOptions
{
    std::size_t maxItems = 10'000; ///< of one review, >= 1
    std::size_t maxOpen = 16; ///< reviews that wait for their run; the oldest goes, >= 1
    Duration validity = std::chrono::minutes(10); ///< of a token, on the store's clock, > 0
    std::size_t pageRecords = 10'000; ///< records to list at once, 1...10,000
};

/// Bulk verbs of an operator on a reviewed set. A review lists the records that match and changes nothing; its token
/// runs the verb on those very records, each by the store's own verb with the fence that was reviewed. What
/// was taken over, ended, or removed meanwhile is refused by the store and reported; what came later is not touched.
///
/// Thread-safety: both functions may be called from any thread, a run's progress included. The store must outlive it.
class BulkReviews
{
public:
    explicit BulkReviews(Store &store, BulkOptions options = {});

    /// Looks at what a bulk would do. Errors: Invalid: neither a tenant nor all tenants, or both; more than `maxItems`
    /// records match (with their number); abandon under semantics that compare no fence, where a run could not keep to
    /// what was reviewed. Also what list() refuses.
    [[nodiscard]] Result<BulkReview> review(const BulkRequest &request);

    /// Runs a review, once; blocks until it is through or cancelled. Errors, nothing having changed: Invalid: the token
    /// is not one of this object, was used, was replaced by newer reviews or is too old; the count is not the reviewed
    /// one; the reason is out of bounds. A wrong count or reason leaves the token good. A store that refuses an item
    /// (for example as Closed) is no error of the run: the report says so.
    [[nodiscard]] Result<BulkReport> run(
        QByteArrayView token, const BulkConfirmation &confirmation, const BulkProgress &progress = {});

private:
    enum class Phase : std::uint8_t { Open, Used, Replaced };
    struct Reviewed
    {
        BulkRequest request;
        std::vector<BulkItem> items;
    };
    struct Entry
    {
        QByteArray token;
        Instant validUntil;
        Reviewed reviewed; // while open
        Phase phase = Phase::Open;
    };

    [[nodiscard]] Result<std::vector<BulkItem>> listItems(const BulkRequest &request) const;
    void keep(Entry entry);
    [[nodiscard]] Result<Reviewed> take(QByteArrayView token, const BulkConfirmation &confirmation);
    [[nodiscard]] Result<void> apply(const BulkRequest &request, const BulkItem &item, const QString &reason);

    Store &m_store;
    const BulkOptions m_options;
    std::mutex m_mutex;
    std::deque<Entry> m_entries; // oldest first; some ended ones too, to say what became of a token
};

} // namespace idem
