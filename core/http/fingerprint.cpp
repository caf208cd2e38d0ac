// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/http/fingerprint.h"

#include "core/http/canonical_query.h"
#include "core/http/json_pointer.h"
#include "core/http/media_type.h"

#include <algorithm>
#include <iterator>

namespace idem {

using namespace Qt::StringLiterals;

namespace {

constexpr QByteArrayView version("v1");
constexpr QByteArray::Base64Options base64 = QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals;
constexpr qsizetype base64Length = 43; // of 32 bytes
constexpr qsizetype largestMaxJsonBytes = qsizetype {64} * 1024 * 1024;

/// Sorted, each once.
tl::expected<std::vector<QStringList>, QString> parsedPointers(const QStringList &texts)
{
    std::vector<QStringList> pointers;
    for (const QString &text : texts) {
        auto pointer = json::parsePointer(text);
        if (!pointer) {
            return tl::unexpected(pointer.error());
        }
        pointers.push_back(*std::move(pointer));
    }
    std::ranges::sort(pointers, [](const QStringList &left, const QStringList &right) { return left < right; });
    pointers.erase(std::unique(pointers.begin(), pointers.end()), pointers.end());
    return pointers;
}

} // namespace

tl::expected<FingerprintRules, QString> FingerprintRules::from(const FingerprintOptions &options)
{
    FingerprintRules rules;
    auto include = parsedPointers(options.include);
    if (!include) {
        return tl::unexpected(u"include: "_s + include.error());
    }
    auto exclude = parsedPointers(options.exclude);
    if (!exclude) {
        return tl::unexpected(u"exclude: "_s + exclude.error());
    }
    if (!exclude->empty() && exclude->front().isEmpty()) {
        return tl::unexpected(
            u"exclude: the JSON pointer \"\" means the whole body, without which nothing is compared"_s);
    }
    for (const QString &name : options.headers) {
        const QByteArray lower = name.toUtf8().toLower();
        if (!http::isToken(lower)) {
            return tl::unexpected(u"headers: \"%1\" is no name of a header"_s.arg(name));
        }
        rules.m_headers.push_back(lower);
    }
    if (options.maxJsonBytes < 0 || options.maxJsonBytes > largestMaxJsonBytes) {
        return tl::unexpected(
            u"maxJsonBytes: %1 is not between 0 and %2"_s.arg(options.maxJsonBytes).arg(largestMaxJsonBytes));
    }
    std::ranges::sort(rules.m_headers, [](const QByteArray &left, const QByteArray &right) { return left < right; });
    rules.m_headers.erase(std::unique(rules.m_headers.begin(), rules.m_headers.end()), rules.m_headers.end());
    rules.m_selection = {.include = *std::move(include), .exclude = *std::move(exclude)};
    rules.m_maxJsonBytes = options.maxJsonBytes;
    return rules;
}

FingerprintStream::FingerprintStream(FingerprintRules rules, const RequestHead &head)
    : m_rules(std::move(rules))
{
    addHead(head);
    chooseForm(head.mediaType);
}

void FingerprintStream::addHead(const RequestHead &head)
{
    m_hash.add(version);
    m_hash.add(head.method);
    m_hash.add(head.route);
    const auto items = http::canonicalQuery(head.query);
    m_hash.addNumber(items.size());
    for (const http::QueryItem &item : items) {
        m_hash.add(item.name);
        m_hash.addNumber(item.value ? 1 : 0);
        m_hash.add(item.value.value_or(QByteArray()));
    }
    m_hash.add(http::canonicalMediaType(head.mediaType));
    m_hash.addNumber(m_rules.headers().size());
    for (const QByteArray &name : m_rules.headers()) {
        std::vector<QByteArrayView> values;
        for (const auto &[lineName, value] : head.headers) {
            if (lineName.compare(name, Qt::CaseInsensitive) == 0) {
                values.push_back(http::withoutOuterSpace(value));
            }
        }
        m_hash.add(name);
        m_hash.addNumber(values.size());
        std::ranges::for_each(values, [this](QByteArrayView value) { m_hash.add(value); });
    }
}

void FingerprintStream::chooseForm(QByteArrayView mediaType)
{
    const auto type = http::parseMediaType(mediaType);
    if (!type) {
        m_why = http::withoutOuterSpace(mediaType).isEmpty() ? QString() : u"the media type is malformed"_s;
    } else if (http::isJson(*type)) {
        m_form = Form::Json;
    } else if (http::isMultipart(*type)) {
        m_form = Form::Multipart;
        // None, or more than one, is as bad as a malformed one.
        m_multipart = std::make_unique<http::MultipartHash>(type->parameter("boundary").value_or(QByteArray()));
    }
}

void FingerprintStream::add(QByteArrayView chunk)
{
    m_empty = m_empty && chunk.isEmpty();
    if (m_form == Form::Json) {
        addBuffered(chunk);
        return;
    }
    m_body.addData(chunk);
    if (m_form == Form::Multipart) {
        m_multipart->add(chunk);
    }
}

void FingerprintStream::addBuffered(QByteArrayView chunk)
{
    if (chunk.size() <= m_rules.maxJsonBytes() - m_buffer.size()) {
        m_buffer += chunk;
        return;
    }
    m_body.addData(m_buffer);
    m_body.addData(chunk);
    m_buffer = QByteArray();
    fallBack(u"the JSON body is longer than %1 bytes"_s.arg(m_rules.maxJsonBytes()));
}

Fingerprint FingerprintStream::finish()
{
    if (m_empty) {
        // Nothing to read and nothing to complain of, whatever the media type.
        m_form = Form::Raw;
        m_why.clear();
    } else if (m_form == Form::Json) {
        finishJson();
    } else if (m_form == Form::Multipart) {
        finishMultipart();
    }
    const QByteArrayView form(m_form == Form::Json ? "json" : m_form == Form::Multipart ? "multipart" : "raw");
    m_hash.add(form);
    m_hash.add(m_form == Form::Raw ? m_body.result() : m_digest);
    return {.text = version.toByteArray() + ':' + m_hash.digest().toBase64(base64),
        .fellBack = !m_why.isEmpty(),
        .why = m_why};
}

void FingerprintStream::finishJson()
{
    const auto document = json::parse(m_buffer, {.finiteNumbers = false});
    const QByteArray text = document ? json::canonicalText(*document, m_rules.selection()) : QByteArray();
    if (!text.isEmpty()) {
        m_digest = QCryptographicHash::hash(text, QCryptographicHash::Sha256);
        return;
    }
    m_body.addData(m_buffer);
    fallBack(document ? u"none of the included JSON pointers leads to anything in the body"_s
                      : u"the body is not JSON that can be compared: line %1, column %2: %3"_s.arg(
                          QString::number(document.error().at.line), QString::number(document.error().at.column),
                          document.error().problem));
}

void FingerprintStream::finishMultipart()
{
    auto digest = m_multipart->finish();
    if (digest) {
        m_digest = *std::move(digest);
    } else {
        fallBack(u"the multipart body cannot be read: %1"_s.arg(digest.error()));
    }
}

void FingerprintStream::fallBack(const QString &why)
{
    m_form = Form::Raw;
    m_why = why;
}

Fingerprint fingerprintOf(const FingerprintRules &rules, const RequestHead &head, QByteArrayView body)
{
    FingerprintStream stream(rules, head);
    stream.add(body);
    return stream.finish();
}

bool isKnownFingerprint(QByteArrayView stored)
{
    if (!stored.startsWith(version.toByteArray() + ':')) {
        return false;
    }
    const auto digest = QByteArray::fromBase64Encoding(
        stored.sliced(version.size() + 1).toByteArray(), base64 | QByteArray::AbortOnBase64DecodingErrors);
    return stored.size() == version.size() + 1 + base64Length && digest
        && (*digest).toBase64(base64) == stored.sliced(version.size() + 1);
}

} // namespace idem
