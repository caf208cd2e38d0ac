// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/text_pattern.h"

#include <optional>

namespace idem {

namespace {

bool isContinuation(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// The end of what a literal or `?` takes of `text` from `at`; nothing where it does not match.
std::optional<qsizetype> endOf(const TextPattern::Part &part, QByteArrayView text, qsizetype at)
{
    if (const auto *literal = std::get_if<QByteArray>(&part)) {
        return text.sliced(at).startsWith(*literal) ? std::optional(at + literal->size()) : std::nullopt;
    }
    if (at == text.size()) {
        return std::nullopt;
    }
    do {
        ++at;
    } while (at < text.size() && isContinuation(text[at]));
    return at;
}

} // namespace

TextPattern TextPattern::exactly(const QByteArray &text)
{
    TextPattern pattern;
    pattern.append(text);
    return pattern;
}

TextPattern TextPattern::startingWith(const QByteArray &prefix)
{
    TextPattern pattern = exactly(prefix);
    pattern.append(Wildcard::AnyText);
    return pattern;
}

void TextPattern::append(QByteArrayView literal)
{
    if (literal.isEmpty()) {
        return;
    }
    QByteArray *const last = parts.empty() ? nullptr : std::get_if<QByteArray>(&parts.back());
    if (last != nullptr) {
        last->append(literal);
    } else {
        parts.emplace_back(literal.toByteArray());
    }
}

void TextPattern::append(Wildcard wildcard)
{
    const bool isRepeated = wildcard == Wildcard::AnyText && !parts.empty() && parts.back() == Part(wildcard);
    if (!isRepeated) {
        parts.emplace_back(wildcard);
    }
}

bool TextPattern::isExact() const
{
    return parts.empty() || (parts.size() == 1 && std::holds_alternative<QByteArray>(parts.front()));
}

QByteArray TextPattern::exactText() const
{
    Q_ASSERT(isExact());
    return parts.empty() ? QByteArray() : std::get<QByteArray>(parts.front());
}

bool TextPattern::matches(QByteArrayView text) const
{
    // What follows a `*` is tried at each later place; an earlier `*` need not be tried again, because what lies
    // between the two matched as early as it could.
    qsizetype at = 0;
    std::size_t part = 0;
    std::optional<std::size_t> afterStar;
    qsizetype tried = 0;
    while (true) {
        if (part == parts.size()) {
            if (at == text.size()) {
                return true;
            }
        } else if (parts[part] == Part(Wildcard::AnyText)) {
            if (++part == parts.size()) {
                return true;
            }
            afterStar = part;
            tried = at;
            continue;
        } else if (const auto end = endOf(parts[part], text, at)) {
            at = *end;
            ++part;
            continue;
        }
        if (!afterStar || tried == text.size()) {
            return false;
        }
        part = *afterStar;
        ++tried;
        if (const auto *literal = std::get_if<QByteArray>(&parts[part])) {
            tried = text.indexOf(*literal, tried);
            if (tried < 0) {
                return false;
            }
        }
        at = tried;
    }
}

} // namespace idem
