// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What every store benchmark shares: keys, orders of access, clocks, and one JSON line for each figure.
namespace idem::bench {

constexpr std::size_t keyBytes = 36;
constexpr std::size_t bodyBytes = 200;

/// A fixed bijective mix of 64 bits (splitmix64, S. Vigna): keys and orders are the same on every machine.
std::uint64_t mix(std::uint64_t value);

/// Keys in the form of UUIDs, laid one after another in the order of their use, so that reading a key is a sequential
/// read, as it is from a request's buffer.
class Keys
{
public:
    explicit Keys(const std::vector<std::uint32_t> &indices);
    [[nodiscard]] std::size_t size() const { return m_text.size() / keyBytes; }
    [[nodiscard]] std::string_view operator[](std::size_t i) const { return {m_text.data() + i * keyBytes, keyBytes}; }

private:
    std::vector<char> m_text;
};

std::vector<std::uint32_t> sequence(std::uint32_t first, std::uint32_t count);
std::vector<std::uint32_t> uniform(std::uint32_t first, std::uint32_t count, std::size_t draws, std::uint64_t seed);
/// Scrambled zipfian, theta 0.99 (J. Gray et al., "Quickly generating billion-record synthetic databases", 1994).
std::vector<std::uint32_t> zipf(std::uint32_t count, std::size_t draws, std::uint64_t seed);
std::vector<std::uint32_t> shuffled(std::vector<std::uint32_t> indices, std::uint64_t seed);

/// 200 bytes of JSON.
const std::string &body();

/// A number of keys or threads, 1...100,000,000; nothing for any other text.
std::optional<std::uint32_t> parseCount(std::string_view text);

/// The smallest value that at least `q` (0...1) of all are at most equal to. Precondition: there is a value.
double quantile(std::vector<double> values, double q);

double seconds(); ///< wall time
std::uint64_t residentBytes();

/// Runs `work(thread)` on `threads` threads that start together; wall seconds until the last one ends.
double timed(int threads, const std::function<void(std::size_t)> &work);

/// Which figure: the JSON line has impl, workload, threads, metric, value.
struct Figure
{
    std::string workload;
    int threads = 1;
    std::string metric;
};
void report(const std::string &impl, const Figure &figure, double value);

/// Keeps results alive that nobody reads.
void consume(std::uint64_t value);

} // namespace idem::bench
