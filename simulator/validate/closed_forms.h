// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace idem::sim {

// What theory says, for the gates to compare with. Pure functions; thread-safe.

/// Erlang's C formula: the probability that an arrival at an M/M/c queue waits. `load` = arrival rate / service rate,
/// in erlangs, below `servers`.
[[nodiscard]] double erlangC(std::uint32_t servers, double load);

/// The probability that an arrival at an M/M/1/K queue is turned away. `room` = K, in queue and service together.
[[nodiscard]] double blockingProbability(double load, std::uint32_t room);

/// The standard deviation of the mean wait in queue of `customers` successive ones of an M/M/1 queue, in service times
/// (P. M. Morse, 1955, by the variance constant of the wait process).
[[nodiscard]] double meanWaitDeviation(double load, double customers);

/// The mean of a bounded number of attempts, each of which fails with probability `failure`: (1 - q^n) / (1 - q).
[[nodiscard]] double meanAttempts(double failure, std::uint32_t maxAttempts);
/// Its standard deviation, for one operation.
[[nodiscard]] double attemptsDeviation(double failure, std::uint32_t maxAttempts);

/// Random keys of `bits` bits: the expected number of equal pairs among `keys`, n (n - 1) / 2^(bits + 1).
[[nodiscard]] double collidingPairs(double keys, int bits);
/// The probability that two of `keys` are equal.
[[nodiscard]] double collisionProbability(std::uint64_t keys, int bits);
/// How many of `keys` are some earlier one's: n - m (1 - (1 - 1/m)^n), m = 2^bits.
[[nodiscard]] double keysLost(double keys, int bits);
/// Its standard deviation.
[[nodiscard]] double keysLostDeviation(double keys, int bits);

} // namespace idem::sim
