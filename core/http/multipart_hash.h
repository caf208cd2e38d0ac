// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/http/part_hash.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <tl/expected.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace idem::http {

/// Hashes a multipart body (RFC 2046 section 5.1) while it arrives, so that the parts count and the boundary does not.
/// What counts, in the order of the text, is each part's bytes and its header lines whose names begin with `Content-`,
/// since no others have a meaning there; but not Content-ID and Content-Length, which clients draw or count anew.
/// Content-Type and Content-Disposition (name, file name) count in any spelling. Preamble and epilogue mean nothing. A
/// part that is itself a multipart or JSON counts by its bytes.
///
/// Strict: lines end in CR LF, the closing delimiter is there, and no line begins with the boundary but goes on
/// otherwise. A body without a part is allowed, because browsers send an empty form so. Memory is bounded whatever the
/// body (a header line has at most 4 KiB, a part 64 of them); time is linear. Not thread-safe.
class MultipartHash
{
public:
    /// `boundary` is the media type's parameter, without its quotes.
    explicit MultipartHash(QByteArrayView boundary);

    /// Adds the next bytes of the body; pieces of any size give one digest.
    void add(QByteArrayView chunk);
    /// 32 bytes once the body has ended; or why it is malformed, in a sentence without its full stop.
    [[nodiscard]] tl::expected<QByteArray, QString> finish();

private:
    enum class State : std::uint8_t { Preamble, DelimiterEnd, HeaderLine, Body, CloseEnd, Epilogue, Broken };

    /// Works on m_pending from m_pos on; false when it needs more bytes.
    bool step();
    bool findFirstDelimiter();
    bool endDelimiter();
    bool readHeaderLine();
    bool readBody();
    bool endClose();

    bool takeHeader(QByteArrayView line);
    void beginPart();
    void endPart();
    bool breakOff(const QString &problem);

    [[nodiscard]] QByteArrayView rest() const { return QByteArrayView(m_pending).sliced(m_pos); }

    QByteArray m_delimiter; ///< CR LF, two hyphens and the boundary
    State m_state = State::Preamble;
    QByteArray m_pending;
    qsizetype m_pos = 0;
    qsizetype m_searched = 0; ///< bytes of an unfinished header line that were searched for its end
    std::vector<std::pair<QByteArray, QByteArray>> m_headers;
    std::size_t m_headerLines = 0;
    QCryptographicHash m_body {QCryptographicHash::Sha256}; ///< of the part that is being read
    bool m_bodyAtStart = false; ///< the line end before the body, which a delimiter may need, is still in m_pending
    PartHash m_parts;
    QString m_problem;
};

} // namespace idem::http
