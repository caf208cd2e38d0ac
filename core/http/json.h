// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QJsonValue>
#include <QString>
#include <QStringList>

#include <tl/expected.hpp>

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

/// JSON as RFC 8259 defines it, with the position of everything. Beside QJsonDocument, because that one hides duplicate
/// members, repairs bad text and forgets lines and the spelling of numbers.
namespace idem::json {

/// A place in a text.
struct Position
{
    int line = 0; ///< from 1; 0: nowhere
    int column = 0; ///< from 1, in Unicode characters

    friend bool operator==(const Position &, const Position &) = default;
    /// In the order of the text.
    friend bool operator<(const Position &left, const Position &right)
    {
        return left.line != right.line ? left.line < right.line : left.column < right.column;
    }
};

/// Why a text is not JSON.
struct Error
{
    Position at {};
    QString problem {}; ///< a sentence without its full stop
};

/// A number as it was written, so that 1, 1.0 and 9007199254740993 stay what they are.
struct Number
{
    QByteArray text {};

    /// The nearest double; finite, because parse() refuses what lies out of its range. Where it was told not to
    /// (Limits::finiteNumbers), such a number has no double and this is not to be asked.
    [[nodiscard]] double toDouble() const { return text.toDouble(); }
};

struct Value;
struct Member;
using Array = std::vector<Value>;
using Object = std::vector<Member>; ///< in the order of the text

/// A node of a document. A plain value; copying one copies what is below it.
struct Value
{
    // Defined where Member is complete.
    Value();
    Value(const Value &);
    Value(Value &&) noexcept;
    Value &operator=(const Value &);
    Value &operator=(Value &&) noexcept;
    ~Value();

    Position at {}; ///< of its first character
    std::variant<std::nullptr_t, bool, Number, QString, Array, Object> data;

    template <typename T> [[nodiscard]] const T *as() const { return std::get_if<T>(&data); }
    /// The member called `name`; null when there is none or this is no object.
    [[nodiscard]] const Member *member(QStringView name) const;
    /// What lies at the end of `path`: member names, and indices into arrays as arrayIndex() reads them. Null when
    /// there is nothing.
    [[nodiscard]] const Value *find(const QStringList &path) const;
    /// For Qt; an integer of at most 64 bits stays exact, any other number becomes the nearest double.
    [[nodiscard]] QJsonValue toJsonValue() const;
};

struct Member
{
    QString name {};
    Position at {}; ///< of the name
    Value value {};
};

/// What a document may cost.
struct Limits
{
    int depth = 64; ///< arrays and objects within one another
    std::size_t values = 1'000'000; ///< nodes
    bool finiteNumbers = true; ///< a number that no double can hold is refused; otherwise only its text is kept
};

/// The index (from 0) that a step of a path means in an array: digits without a sign or leading zeros (RFC 6901,
/// section 4). Nothing for any other text, `-` too. Thread-safe.
[[nodiscard]] std::optional<std::size_t> arrayIndex(QStringView step);

/// The document in `text`. Refused: whatever RFC 8259 does not allow (comments, trailing commas, a byte order mark,
/// control characters in strings ...), duplicate members, lone surrogates, bad UTF-8, and what is beyond `limits`. Time
/// and memory are linear in the text. Thread-safe.
[[nodiscard]] tl::expected<Value, Error> parse(QByteArrayView text, Limits limits = {});

} // namespace idem::json
