// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/response.h"

#include <algorithm>
#include <cstring>

namespace idem {

namespace {

// A line is kept as both lengths, then name and value.
struct LineLengths
{
    std::uint32_t name;
    std::uint32_t value;
};

std::size_t lineBytes(std::span<const Header> headers)
{
    std::size_t count = 0;
    for (const auto &[name, value] : headers) {
        count += sizeof(LineLengths) + std::size_t(name.size() + value.size());
    }
    return count;
}

void append(char *&target, QByteArrayView bytes)
{
    if (!bytes.isEmpty()) {
        std::memcpy(target, bytes.data(), std::size_t(bytes.size()));
        target += bytes.size();
    }
}

/// Takes the next line from the front of `bytes`.
std::pair<QByteArrayView, QByteArrayView> takeLine(QByteArrayView &bytes)
{
    LineLengths lengths {};
    std::memcpy(&lengths, bytes.data(), sizeof(lengths));
    const QByteArrayView name = bytes.sliced(sizeof(lengths), lengths.name);
    const QByteArrayView value = bytes.sliced(qsizetype(sizeof(lengths)) + name.size(), lengths.value);
    bytes = bytes.sliced(qsizetype(sizeof(lengths)) + name.size() + value.size());
    return {name, value};
}

} // namespace

ResponsePtr StoredResponse::make(const ResponseView &response)
{
    void *const block = ::operator new(sizeof(StoredResponse) + byteCount(response));
    return ResponsePtr(new (block) StoredResponse(sizeof(StoredResponse), &response));
}

std::size_t StoredResponse::byteCount(const ResponseView &response)
{
    return lineBytes(response.headers) + std::size_t(response.body ? response.body->size() : 0);
}

StoredResponse::StoredResponse(std::size_t dataOffset, const ResponseView *response)
    : m_dataOffset(std::uint32_t(dataOffset))
    , m_headerBytes(response ? std::uint32_t(lineBytes(response->headers)) : 0)
    , m_bodyBytes(response && response->body ? std::uint32_t(response->body->size()) : 0)
    , m_status(response ? std::uint16_t(response->status) : 0)
    , m_hasBody(response && response->body)
{
    if (!response) {
        return;
    }
    char *target = data();
    for (const auto &[name, value] : response->headers) {
        const LineLengths lengths {std::uint32_t(name.size()), std::uint32_t(value.size())};
        std::memcpy(target, &lengths, sizeof(lengths));
        target += sizeof(lengths);
        append(target, name);
        append(target, value);
    }
    append(target, response->body.value_or(QByteArrayView()));
}

void StoredResponse::operator delete(StoredResponse *self, std::destroying_delete_t)
{
    // Its own destructor and those of what stands in front of the bytes are trivial by design: only memory is left.
    ::operator delete(static_cast<void *>(self));
}

Headers StoredResponse::headers() const
{
    Headers lines;
    QByteArrayView bytes(data(), qsizetype(m_headerBytes));
    while (!bytes.isEmpty()) {
        const auto [name, value] = takeLine(bytes);
        lines.emplace_back(name.toByteArray(), value.toByteArray());
    }
    return lines;
}

Response StoredResponse::toResponse() const
{
    const auto bytes = body();
    return {status(), headers(), bytes ? std::optional(bytes->toByteArray()) : std::nullopt};
}

bool operator==(const StoredResponse &left, const ResponseView &right)
{
    if (left.m_status != right.status || left.body() != right.body) {
        return false;
    }
    QByteArrayView bytes(left.data(), qsizetype(left.m_headerBytes));
    const auto isNext = [&bytes](const Header &line) {
        return !bytes.isEmpty() && takeLine(bytes) == std::pair<QByteArrayView, QByteArrayView>(line);
    };
    return std::ranges::all_of(right.headers, isNext) && bytes.isEmpty();
}

} // namespace idem
