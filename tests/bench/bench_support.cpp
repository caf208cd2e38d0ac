// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bench_support.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <thread>

#include <unistd.h>

namespace idem::bench {

std::uint64_t mix(std::uint64_t value)
{
    value += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

Keys::Keys(const std::vector<std::uint32_t> &indices)
    : m_text(indices.size() * keyBytes)
{
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr std::uint64_t origin = 0x5EED0000;
    char *out = m_text.data();
    for (const std::uint64_t index : indices) {
        const std::array halves {mix(origin + 2 * index), mix(origin + 2 * index + 1)};
        for (int byte = 0; byte < 16; ++byte) {
            if (byte == 4 || byte == 6 || byte == 8 || byte == 10)
                *out++ = '-';
            const auto value = (halves[static_cast<std::size_t>(byte / 8)] >> (56 - 8 * (byte % 8))) & 0xFF;
            *out++ = digits[value >> 4];
            *out++ = digits[value & 15];
        }
    }
}

std::vector<std::uint32_t> sequence(std::uint32_t first, std::uint32_t count)
{
    std::vector<std::uint32_t> indices(count);
    for (std::uint32_t i = 0; i < count; ++i)
        indices[i] = first + i;
    return indices;
}

std::vector<std::uint32_t> uniform(std::uint32_t first, std::uint32_t count, std::size_t draws, std::uint64_t seed)
{
    std::vector<std::uint32_t> indices(draws);
    for (std::size_t i = 0; i < draws; ++i)
        indices[i] = first + static_cast<std::uint32_t>(mix(seed + i) % count);
    return indices;
}

std::vector<std::uint32_t> zipf(std::uint32_t count, std::size_t draws, std::uint64_t seed)
{
    constexpr double theta = 0.99;
    const double zeta2 = 1 + std::pow(0.5, theta);
    double zeta = 0;
    for (std::uint32_t i = 1; i <= count; ++i)
        zeta += std::pow(i, -theta);
    const double eta = (1 - std::pow(2.0 / count, 1 - theta)) / (1 - zeta2 / zeta);
    std::vector<std::uint32_t> indices(draws);
    for (std::size_t i = 0; i < draws; ++i) {
        const double u = static_cast<double>(mix(seed + i) >> 11) * 0x1p-53;
        std::uint64_t rank = 0;
        if (u * zeta >= zeta2)
            rank = static_cast<std::uint64_t>(count * std::pow(eta * u - eta + 1, 1 / (1 - theta)));
        else if (u * zeta >= 1)
            rank = 1;
        indices[i] = static_cast<std::uint32_t>(mix(rank * 7919 + 13) % count);
    }
    return indices;
}

std::vector<std::uint32_t> shuffled(std::vector<std::uint32_t> indices, std::uint64_t seed)
{
    for (std::size_t left = indices.size(); left > 1; --left)
        std::swap(indices[left - 1], indices[mix(seed + left) % left]);
    return indices;
}

const std::string &body()
{
    static const std::string text = [] {
        std::string json = R"({"id":"ord_1","status":"created","note":")";
        while (json.size() < bodyBytes - 2)
            json += static_cast<char>('a' + json.size() % 26);
        return json + "\"}";
    }();
    return text;
}

std::optional<std::uint32_t> parseCount(std::string_view text)
{
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value == 0 || value > 100'000'000)
        return std::nullopt;
    return value;
}

double quantile(std::vector<double> values, double q)
{
    const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size())));
    const auto index = static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(rank, 1, values.size()) - 1);
    std::nth_element(values.begin(), values.begin() + index, values.end());
    return values[static_cast<std::size_t>(index)];
}

double seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::uint64_t residentBytes()
{
    std::uint64_t all = 0;
    std::uint64_t resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

double timed(int threads, const std::function<void(std::size_t)> &work)
{
    std::atomic<int> ready = 0;
    std::atomic<bool> go = false;
    std::vector<std::jthread> pool;
    for (int i = 1; i < threads; ++i) {
        pool.emplace_back([&, i] {
            ++ready;
            while (!go)
                std::this_thread::yield();
            work(static_cast<std::size_t>(i));
        });
    }
    while (ready != threads - 1)
        std::this_thread::yield();
    const double start = seconds();
    go = true;
    work(0);
    pool.clear();
    return seconds() - start;
}

void report(const std::string &impl, const Figure &figure, double value)
{
    std::printf(R"({"impl":"%s","workload":"%s","threads":%d,"metric":"%s","value":%.6g})"
                "\n",
        impl.c_str(), figure.workload.c_str(), figure.threads, figure.metric.c_str(), value);
    std::fflush(stdout);
}

void consume(std::uint64_t value)
{
    static std::atomic<std::uint64_t> sink;
    sink.fetch_add(value, std::memory_order_relaxed);
}

} // namespace idem::bench
