// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>
#include <utility>
#include <vector>

namespace idem::http {

/// A header's value with parameters: `form-data; name="a"`.
struct ParameterisedValue
{
    QByteArray value {}; ///< lower case
    /// Names in lower case, values without their quotes; sorted by name, equal names in the order of the text.
    std::vector<std::pair<QByteArray, QByteArray>> parameters {};

    /// The value of the parameter called `name`; nothing when there is none or more than one.
    [[nodiscard]] std::optional<QByteArray> parameter(QByteArrayView name) const;
    /// One text for all spellings: `form-data;name="a"`, every value in quotes.
    [[nodiscard]] QByteArray toText() const;
};

/// A value as RFC 9110 section 5.6.6 spells parameters; empty ones (a semicolon at the end) are left out. A backslash
/// escapes a quote or a backslash only: browsers write file names with bare ones. Nothing for a malformed text.
/// Thread-safe.
[[nodiscard]] std::optional<ParameterisedValue> parseParameterised(QByteArrayView text);

/// The same for a media type (RFC 9110 section 8.3.1), type/subtype. In what it returns, so that two spellings of one
/// type are one: the charset is in lower case; a multipart type keeps its boundary, which canonicalMediaType() drops.
[[nodiscard]] std::optional<ParameterisedValue> parseMediaType(QByteArrayView text);

/// True for `application/json` and any type with the suffix `+json` (RFC 6839).
[[nodiscard]] bool isJson(const ParameterisedValue &mediaType);
/// True for any `multipart/` type (RFC 2046).
[[nodiscard]] bool isMultipart(const ParameterisedValue &mediaType);

/// One text for all spellings of a media type: ParameterisedValue::toText() without the boundary of a multipart type,
/// which means nothing, and without a charset `utf-8` of a JSON type, which has no effect (RFC 8259, section 11). A
/// malformed text is returned as it is, without the space around it. Thread-safe.
[[nodiscard]] QByteArray canonicalMediaType(QByteArrayView text);

/// True for a token (RFC 9110 section 5.6.2): what a header's name, a parameter's name and a bare value are.
[[nodiscard]] bool isToken(QByteArrayView text);

/// Without the spaces and tabs at both ends (RFC 9110 section 5.6.3).
[[nodiscard]] QByteArrayView withoutOuterSpace(QByteArrayView text);

} // namespace idem::http
