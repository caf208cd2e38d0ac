// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QExplicitlySharedDataPointer>
#include <QSharedData>

#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace idem {

/// A header line: name and value.
using Header = std::pair<QByteArray, QByteArray>;
/// Header lines in order and unsplit.
using Headers = std::vector<Header>;

/// An answer whose bytes somebody else keeps: what the owner's verbs take, so that an answer is copied once, into the
/// store.
struct ResponseView
{
    int status = 0; ///< HTTP status, 100...599
    std::span<const Header> headers {};
    std::optional<QByteArrayView> body {}; ///< absent, empty and the JSON `null` are three things
};

/// What an operation answered.
struct Response
{
    int status = 0; ///< HTTP status, 100...599
    Headers headers {};
    std::optional<QByteArray> body {}; ///< absent, empty and the JSON `null` are three things

    operator ResponseView() const { return {status, headers, body}; } // NOLINT(google-explicit-constructor): a view

    friend bool operator==(const Response &, const Response &) = default;
};

class StoredResponse;
/// A stored answer is shared, never copied, and never changes. Thread-safe as std::shared_ptr is.
using ResponsePtr = QExplicitlySharedDataPointer<const StoredResponse>;

/// An answer as a store keeps it: one block of memory with all its bytes. The views are good as long as a ResponsePtr
/// holds it. Thread-safety: any number of readers.
class StoredResponse : public QSharedData
{
public:
    /// A copy of `response`. Precondition: its bytes are less than 4 GiB.
    static ResponsePtr make(const ResponseView &response);

    /// How many bytes an answer takes, beside the object: lines and body.
    [[nodiscard]] static std::size_t byteCount(const ResponseView &response);

    StoredResponse(const StoredResponse &) = delete;
    StoredResponse &operator=(const StoredResponse &) = delete;
    ~StoredResponse() = default;

    [[nodiscard]] int status() const { return m_status; }
    /// Absent, empty and the JSON `null` are three things.
    [[nodiscard]] std::optional<QByteArrayView> body() const
    {
        return m_hasBody ? std::optional(QByteArrayView(data() + m_headerBytes, qsizetype(m_bodyBytes))) : std::nullopt;
    }
    /// A copy of the lines, in order.
    [[nodiscard]] Headers headers() const;
    [[nodiscard]] Response toResponse() const;

    /// The same status, lines and body, byte for byte.
    friend bool operator==(const StoredResponse &left, const ResponseView &right);

    static void operator delete(StoredResponse *self, std::destroying_delete_t);

protected:
    /// With a copy of `response`, if any, at `dataOffset` from this object, where byteCount() bytes of the block are.
    StoredResponse(std::size_t dataOffset, const ResponseView *response);

    [[nodiscard]] std::size_t dataBytes() const { return std::size_t {m_headerBytes} + m_bodyBytes; }

private:
    [[nodiscard]] const char *data() const { return reinterpret_cast<const char *>(this) + m_dataOffset; }
    [[nodiscard]] char *data() { return reinterpret_cast<char *>(this) + m_dataOffset; }

    const std::uint32_t m_dataOffset;
    const std::uint32_t m_headerBytes;
    const std::uint32_t m_bodyBytes;
    const std::uint16_t m_status;
    const bool m_hasBody;
};

} // namespace idem
