// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <QByteArrayView>

#include <optional>

namespace idem::sim {

/// How long the value of a Retry-After field asks to wait (RFC 9110, section 10.2.3): whole seconds, or one of the
/// three forms of HTTP-date (section 5.6.7), which counts from `now`; a date in the past is zero. Nothing for any other
/// value: a sign, a fraction, a list, a date that does not exist. More than 2^31 seconds are 2^31, as RFC 9111,
/// section 1.2.2, has it for delta-seconds. A two-digit year that would be more than 50 years ahead is one of the past.
/// The name of the day is checked, but not that it fits the date.
[[nodiscard]] std::optional<Duration> parseRetryAfter(QByteArrayView value, WallTime now);

/// The wait that grpc-retry-pushback-ms asks for. Nothing when the server forbids a retry: a negative number, or
/// anything that is not one (gRPC, proposal A6, "Pushback").
[[nodiscard]] std::optional<Duration> parseGrpcPushback(QByteArrayView value);

} // namespace idem::sim
