// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/types.h"

#include <QByteArrayView>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace idem::sim {

/// A short text on the stack: names are made for every attempt, and none of them needs the heap.
class Name
{
public:
    Name() = default;
    explicit Name(std::string_view prefix) { add(prefix); }
    Name(std::string_view prefix, std::uint64_t number)
        : Name(prefix)
    {
        add(number);
    }
    void add(std::string_view text)
    {
        // Never cut: the bound only tells the compiler what the array's size tells the reader.
        const auto room = m_text.size() - m_size;
        std::copy_n(text.data(), std::min(text.size(), room), m_text.data() + m_size);
        m_size += std::min(text.size(), room);
    }
    void add(std::uint64_t number, int base = 10)
    {
        const char *const end = std::to_chars(m_text.data() + m_size, m_text.data() + m_text.size(), number, base).ptr;
        m_size = static_cast<std::size_t>(end - m_text.data());
    }
    [[nodiscard]] QByteArrayView view() const { return {m_text.data(), static_cast<qsizetype>(m_size)}; }

private:
    std::array<char, 96> m_text; // the longest is the body: two numbers of 20 digits and 27 characters
    std::size_t m_size = 0;
};

/// A key as clients write it, and the number by which the run knows it.
struct KeyName
{
    Name text {};
    std::uint64_t number = 0;
};

/// Everything that names a request's record.
struct RequestIdentity
{
    KeyName key {};
    Name tenant {};
    Name caller {};
    [[nodiscard]] IdentityView view() const { return {tenant.view(), caller.view(), key.text.view()}; }
};

} // namespace idem::sim
