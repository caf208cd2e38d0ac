// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/text_pattern.h"
#include "core/store/types.h"

#include <tl/expected.hpp>

#include <span>
#include <variant>

namespace idem {

struct RecordView;

/// What a term asks about. The names in texts are snake_case: `lease_left`.
enum class FilterField : std::uint8_t {
    State,
    Tenant,
    Caller,
    Key,
    Id,
    Owner,
    Age, ///< since the attempt started
    LeaseLeft, ///< until the lease ends; negative once it is over; absent where no attempt holds a lease
    TtlLeft, ///< until the record expires; absent where it does not
    Attempt,
    Replays,
    Conflicts,
    Mismatches,
    Fence,
    Waiting,
    Status, ///< of the stored response; absent without one
    Stuck,
    Late,
    BodyOmitted,
    SideEffect,
};

/// How a field's values are written, for editors that complete them.
enum class FilterKind : std::uint8_t {
    State, ///< a state's name
    Text, ///< a text with `*` and `?`
    Id, ///< 43 characters of base64url
    TimeSpan, ///< `>5m`
    Number, ///< `3` or `>1`
    Status, ///< `404`, `5xx` or `>=400`
    Flag, ///< `true` or `false`
};

/// One line of the language's vocabulary.
struct FilterFieldInfo
{
    FilterField field;
    FilterKind kind;
    bool takesList; ///< commas separate alternatives
    QStringView name;
    QStringView example; ///< a whole term
};

enum class Comparison : std::uint8_t { Equal, Greater, AtLeast, Less, AtMost };

struct DurationTest
{
    Comparison comparison = Comparison::AtLeast; ///< never Equal
    Duration bound {}; ///< within maxDurationFromText either way

    friend bool operator==(const DurationTest &, const DurationTest &) = default;
};

/// Also of a status.
struct NumberTest
{
    Comparison comparison = Comparison::Equal;
    std::uint64_t bound = 0;

    friend bool operator==(const NumberTest &, const NumberTest &) = default;
};

/// `5xx`: a hundred of HTTP statuses.
struct StatusClass
{
    int hundreds = 0; ///< 1...5

    friend bool operator==(const StatusClass &, const StatusClass &) = default;
};

/// One alternative of a term. The field's kind says which type: in the order of FilterKind, and a Status has two.
using FilterValue = std::variant<State, TextPattern, RecordId, DurationTest, NumberTest, StatusClass, bool>;

/// One condition: the field has one of the values or, negated, has none of them. A record that lacks the field (a lease
/// left without a lease, a status without a response) has none of them.
struct FilterTerm
{
    FilterField field = FilterField::State;
    bool isNegated = false;
    std::vector<FilterValue> values {}; ///< one at least; more than one only where FilterFieldInfo::takesList

    friend bool operator==(const FilterTerm &, const FilterTerm &) = default;
};

/// Why a text is no filter, and where.
struct FilterError
{
    QString message {}; ///< one sentence
    qsizetype position = 0; ///< of what is wrong, in UTF-16 units from the start of the text
    qsizetype length = 0; ///< of what is wrong; at least 1

    friend bool operator==(const FilterError &, const FilterError &) = default;
};

/// What a filter looks at: views of a record that somebody else keeps, so that a scan copies nothing.
struct FilterSubject
{
    IdentityView identity {};
    State state = State::InProgress; ///< derived at `now`
    Fence fence = Fence::None;
    std::uint32_t attempt = 0;
    QByteArrayView owner {};
    Instant startedAt {}; ///< of this attempt
    std::optional<Instant> leaseEnd {}; ///< in progress only
    std::optional<Instant> expiresAt {}; ///< finished or abandoned only
    int status = 0; ///< of the response; 0 without one
    std::uint32_t replays = 0;
    std::uint32_t conflicts = 0;
    std::uint32_t mismatches = 0;
    std::uint32_t waiting = 0;
    bool stuck = false;
    bool late = false;
    bool bodyOmitted = false;
    bool sideEffect = false;
    const RecordId *id = nullptr; ///< may be null where Filter::needsId() is false
    Instant now {};

    /// A view as of its observedAt; `view` must outlive the subject.
    static FilterSubject of(const RecordView &view);
};

/// Which records: all terms must hold; without terms, all records. A plain value; every function may be called from
/// any thread.
///
/// The text: `state:in_progress,lease_expired -tenant:acme key:pay* age:>5m status:5xx stuck:true word`.
/// - White space separates terms, which all must hold; `-` in front negates one; a comma separates alternatives.
/// - A term is `field:value`. One without a field looks for keys that contain it: `word` is `key:*word*`.
/// - Texts are case-sensitive; `*` is any text and `?` one character, in quotes too. `tenant:""` is the empty text.
/// - Double quotes, around a value or within it, keep white space, commas and colons together. A backslash takes the
///   next character for itself: `\*`, `\"`, `\\`. `\x1F` is a byte.
/// - Durations as in durationFromText(), behind `>`, `>=`, `<` or `<=`. A bare one reads as people mean it: `age:5m` is
///   at least that old, `lease_left:30s` and `ttl_left:1h` have at most that left. A lease that is over has a negative
///   time left: `lease_left:<-5m` ended more than five minutes ago.
/// - Numbers may also stand behind `=`, which is meant without a sign.
struct Filter
{
    std::vector<FilterTerm> terms {};

    static constexpr qsizetype maxLength = 4096;
    static constexpr std::size_t maxTerms = 64;

    /// Any text gives a filter or an error. Refuses a text above `maxLength` UTF-16 units (as given, or as toString()
    /// gives it back), and more than `maxTerms` terms.
    static tl::expected<Filter, FilterError> parse(QStringView text);

    /// The vocabulary, in the order of FilterField.
    static std::span<const FilterFieldInfo> fields();

    static Filter stuck();
    static Filter inStates(const std::vector<State> &states);
    static Filter ofTenant(const QByteArray &tenant);
    static Filter keysStartingWith(const QByteArray &prefix);

    /// What both let through.
    [[nodiscard]] Filter with(const Filter &other) const;

    /// The canonical text, which parse() reads as an equal filter (within its two limits).
    [[nodiscard]] QString toString() const;

    [[nodiscard]] bool matches(const FilterSubject &subject) const;

    /// True when matches() looks at the subject's id, which may have to be computed.
    [[nodiscard]] bool needsId() const;

    friend bool operator==(const Filter &, const Filter &) = default;
};

} // namespace idem
