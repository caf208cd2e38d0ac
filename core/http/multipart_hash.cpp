// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/http/multipart_hash.h"

#include "core/http/media_type.h"

#include <algorithm>

namespace idem::http {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype sliceBytes = qsizetype {64} * 1024;
constexpr qsizetype maxHeaderLineBytes = qsizetype {4} * 1024;
constexpr std::size_t maxHeaderLines = 64;
constexpr QByteArrayView lineEnd("\r\n");

/// RFC 2046 section 5.1.1.
bool isBoundary(QByteArrayView text)
{
    const auto isAllowed = [](char c) {
        const char lower = static_cast<char>(c | 0x20);
        return (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z') || QByteArrayView("'()+_,-./:=? ").contains(c);
    };
    return !text.isEmpty() && text.size() <= 70 && std::ranges::all_of(text, isAllowed) && !text.endsWith(' ');
}

bool isSpace(char c)
{
    return c == ' ' || c == '\t';
}

/// The value of a part's header so that two spellings of it are one.
QByteArray canonicalValue(QByteArrayView name, QByteArrayView value)
{
    if (name == "content-type") {
        return canonicalMediaType(value);
    }
    if (name == "content-disposition") {
        if (const auto disposition = parseParameterised(value)) {
            return disposition->toText();
        }
    }
    return value.toByteArray();
}

} // namespace

MultipartHash::MultipartHash(QByteArrayView boundary)
    : m_delimiter("\r\n--" + boundary.toByteArray())
    , m_pending(lineEnd.toByteArray()) // the first delimiter may be at the very start, without a line end before it
{
    if (!isBoundary(boundary)) {
        breakOff(u"the boundary is malformed"_s);
    }
}

void MultipartHash::add(QByteArrayView chunk)
{
    while (!chunk.isEmpty() && m_state != State::Epilogue && m_state != State::Broken) {
        const QByteArrayView slice = chunk.first(std::min(chunk.size(), sliceBytes));
        chunk = chunk.sliced(slice.size());
        m_pending += slice;
        while (step()) { }
        m_pending.remove(0, m_pos);
        m_pos = 0;
    }
}

tl::expected<QByteArray, QString> MultipartHash::finish()
{
    // The last line needs no end.
    if (m_state == State::CloseEnd && std::ranges::all_of(rest(), isSpace)) {
        m_state = State::Epilogue;
    } else if (m_state != State::Epilogue) {
        breakOff(u"the closing delimiter is missing"_s);
    }
    if (m_state == State::Broken) {
        return tl::unexpected(m_problem);
    }
    return m_parts.digest();
}

bool MultipartHash::step()
{
    switch (m_state) {
    case State::Preamble:
        return findFirstDelimiter();
    case State::DelimiterEnd:
        return endDelimiter();
    case State::HeaderLine:
        return readHeaderLine();
    case State::Body:
        return readBody();
    case State::CloseEnd:
        return endClose();
    case State::Epilogue:
    case State::Broken:
        break;
    }
    return false;
}

bool MultipartHash::findFirstDelimiter()
{
    const qsizetype found = rest().indexOf(m_delimiter);
    if (found < 0) {
        // What is kept may be the beginning of a delimiter.
        m_pos += std::max<qsizetype>(0, rest().size() - m_delimiter.size() + 1);
        return false;
    }
    m_pos += found + m_delimiter.size();
    m_state = State::DelimiterEnd;
    return true;
}

/// What follows a boundary: two hyphens after the last part; else the end of the line, perhaps behind spaces.
bool MultipartHash::endDelimiter()
{
    if (rest().size() < 2) {
        return false;
    }
    if (rest().startsWith("--")) {
        m_pos += 2;
        m_state = State::CloseEnd;
        return true;
    }
    if (rest().startsWith(lineEnd)) {
        m_pos += lineEnd.size();
        beginPart();
        return true;
    }
    if (!isSpace(rest().front())) {
        return breakOff(u"a line begins with the boundary but goes on otherwise"_s);
    }
    // From here on, hyphens would be no closing delimiter; but a boundary followed by a space and hyphens is refused
    // too.
    ++m_pos;
    return rest().front() != '-' || breakOff(u"a line begins with the boundary but goes on otherwise"_s);
}

void MultipartHash::beginPart()
{
    m_headers.clear();
    m_headerLines = 0;
    m_body.reset();
    m_bodyAtStart = true;
    m_state = State::HeaderLine;
}

bool MultipartHash::readHeaderLine()
{
    const qsizetype end = rest().indexOf(lineEnd, std::max<qsizetype>(0, m_searched - 1));
    m_searched = end < 0 ? rest().size() : 0;
    if (end > maxHeaderLineBytes || (end < 0 && rest().size() > maxHeaderLineBytes)) {
        return breakOff(u"a part's header has a line of more than %1 bytes"_s.arg(maxHeaderLineBytes));
    }
    if (end < 0) {
        return false;
    }
    if (end == 0) {
        // The line end stays: when the part has no body, it begins the next delimiter.
        m_state = State::Body;
        return true;
    }
    const QByteArrayView line = rest().first(end);
    m_pos += end + lineEnd.size();
    return takeHeader(line);
}

bool MultipartHash::takeHeader(QByteArrayView line)
{
    if (++m_headerLines > maxHeaderLines) {
        return breakOff(u"a part has more than %1 header lines"_s.arg(maxHeaderLines));
    }
    const qsizetype colon = line.indexOf(':');
    if (colon < 0 || !isToken(line.first(colon)) || line.contains('\r') || line.contains('\n') || line.contains('\0')) {
        return breakOff(u"a part's header has a malformed line"_s);
    }
    const QByteArray name = line.first(colon).toByteArray().toLower();
    if (name.startsWith("content-") && name != "content-id" && name != "content-length") {
        m_headers.emplace_back(name, canonicalValue(name, withoutOuterSpace(line.sliced(colon + 1))));
    }
    return true;
}

bool MultipartHash::readBody()
{
    const qsizetype found = rest().indexOf(m_delimiter);
    const qsizetype bodyEnd = found >= 0 ? found : rest().size() - m_delimiter.size() + 1;
    const qsizetype bodyStart = m_bodyAtStart ? lineEnd.size() : 0;
    if (bodyEnd > bodyStart) {
        m_body.addData(rest().sliced(bodyStart, bodyEnd - bodyStart));
        m_pos += bodyEnd;
        m_bodyAtStart = false;
    }
    if (found < 0) {
        return false;
    }
    m_pos = m_pos + (bodyEnd > bodyStart ? 0 : found) + m_delimiter.size();
    endPart();
    m_state = State::DelimiterEnd;
    return true;
}

void MultipartHash::endPart()
{
    std::ranges::stable_sort(m_headers, [](const auto &left, const auto &right) { return left.first < right.first; });
    m_parts.addNumber(m_headers.size());
    for (const auto &[name, value] : m_headers) {
        m_parts.add(name);
        m_parts.add(value);
    }
    m_parts.add(m_body.result());
}

/// The rest of the closing delimiter's line.
bool MultipartHash::endClose()
{
    while (!rest().isEmpty() && isSpace(rest().front())) {
        ++m_pos;
    }
    if (rest().isEmpty() || rest() == "\r") {
        return false;
    }
    if (!rest().startsWith(lineEnd)) {
        return breakOff(u"the closing delimiter's line goes on otherwise"_s);
    }
    m_state = State::Epilogue;
    return true;
}

bool MultipartHash::breakOff(const QString &problem)
{
    if (m_state != State::Broken) {
        m_state = State::Broken;
        m_problem = problem;
    }
    return false;
}

} // namespace idem::http
