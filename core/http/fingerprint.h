// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/http/canonical_json.h"
#include "core/http/multipart_hash.h"
#include "core/http/part_hash.h"
#include "core/store/types.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QString>
#include <QStringList>

#include <tl/expected.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

/// Fingerprints of payloads: what a store compares to tell a retry from another request under the same key.
///
/// A fingerprint is `v1:` and SHA-256 in base64url over, in this order (PartHash): the text `v1`; method and route, as
/// bytes; the number of query items (canonicalQuery()) and for each its name, 1 or 0 for "has a value", and the value;
/// the media type (canonicalMediaType()); the number of named headers and for each its name in lower case, the number
/// of its lines and their values without the space around; `json`, `multipart` or `raw`; and the SHA-256 of the body in
/// that form: canonicalText(), MultipartHash, or the bytes. An absent body is an empty one.
namespace idem {

/// What an operator may set for a route.
struct FingerprintOptions
{
    /// JSON pointers (RFC 6901) into a JSON body: only what lies at one of them counts. Empty: the whole body. A body
    /// in which none leads anywhere counts by its bytes, so that it never equals all others of its kind.
    QStringList include {};
    /// JSON pointers to what never counts: time stamps, nonces. One that leads nowhere is no error.
    QStringList exclude {};
    /// Names of headers that count beside the body, in any case; an absent one differs from an empty one.
    QStringList headers {};
    /// A longer JSON body counts by its bytes, so that no more of it is kept in memory; 0...64 MiB. Reading one takes
    /// up to some 40 times its length for a moment.
    qsizetype maxJsonBytes = qsizetype {1024} * 1024;
};

/// Options that were checked. A plain value, cheap enough to copy per request; thread-safe to read.
class FingerprintRules
{
public:
    /// The default options.
    FingerprintRules() = default;
    /// The error is a sentence that quotes the malformed pointer, header name or bound. Excluding the whole body is
    /// refused: nothing would be left to compare.
    [[nodiscard]] static tl::expected<FingerprintRules, QString> from(const FingerprintOptions &options);

    [[nodiscard]] const json::Selection &selection() const { return m_selection; }
    /// In lower case, sorted, each once.
    [[nodiscard]] const std::vector<QByteArray> &headers() const { return m_headers; }
    [[nodiscard]] qsizetype maxJsonBytes() const { return m_maxJsonBytes; }

private:
    json::Selection m_selection;
    std::vector<QByteArray> m_headers;
    qsizetype m_maxJsonBytes = FingerprintOptions {}.maxJsonBytes;
};

/// A request but for its body. It points at bytes that somebody else keeps.
struct RequestHead
{
    QByteArrayView method {}; ///< as it came: methods are case-sensitive (RFC 9110 section 9.1)
    QByteArrayView route {}; ///< the path with its parameters filled in: /accounts/1, not /accounts/{id}
    QByteArrayView query {}; ///< raw, behind the `?`
    QByteArrayView mediaType {}; ///< the raw Content-Type; empty for none
    std::span<const Headers::value_type> headers {}; ///< all lines; the rules say which count
};

struct Fingerprint
{
    QByteArray text {}; ///< 46 characters; never empty
    bool fellBack = false; ///< the body counts by its bytes although its media type promised a structure
    /// The reason, in a sentence without its full stop; it may quote the name of a JSON member. Empty when it did not.
    QString why {};
};

/// Takes a body as it arrives, behind the transfer coding; a compressed one counts by its bytes. A raw or multipart
/// body is never kept; a JSON body is kept up to the rules' bound, then counts by its bytes. Pieces of any size, the
/// whole body too, give one fingerprint. A request whose body was not read to its end has none: then finish() is not to
/// be called. Not thread-safe.
class FingerprintStream
{
public:
    FingerprintStream(FingerprintRules rules, const RequestHead &head);

    /// The next bytes of the body.
    void add(QByteArrayView chunk);
    /// To be called once, at the body's end.
    [[nodiscard]] Fingerprint finish();

private:
    void addHead(const RequestHead &head);
    void chooseForm(QByteArrayView mediaType);
    void addBuffered(QByteArrayView chunk);
    void finishJson();
    void finishMultipart();
    void fallBack(const QString &why);

    enum class Form : std::uint8_t { Raw, Json, Multipart };

    FingerprintRules m_rules;
    http::PartHash m_hash;
    Form m_form = Form::Raw;
    bool m_empty = true;
    QCryptographicHash m_body {QCryptographicHash::Sha256}; ///< of the bytes, but for JSON that is still buffered
    QByteArray m_digest; ///< of a structured body
    QByteArray m_buffer; ///< JSON
    std::unique_ptr<http::MultipartHash> m_multipart;
    QString m_why;
};

/// The fingerprint of a request whose body is at hand. Thread-safe.
[[nodiscard]] Fingerprint fingerprintOf(const FingerprintRules &rules, const RequestHead &head, QByteArrayView body);

/// True for the form of this version's fingerprints. One that is stored and is of another form cannot be compared: the
/// request is refused, neither replayed nor run. An absent (empty) fingerprint has no version; ask for no such one.
[[nodiscard]] bool isKnownFingerprint(QByteArrayView stored);

} // namespace idem
