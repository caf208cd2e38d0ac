// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/http/media_type.h"

#include <algorithm>

namespace idem::http {

namespace {

bool isSpace(char c)
{
    return c == ' ' || c == '\t';
}

bool isTokenCharacter(char c)
{
    const char lower = static_cast<char>(c | 0x20);
    return (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z') || QByteArrayView("!#$%&'*+-.^_`|~").contains(c);
}

/// Takes the longest run of token characters off the front of `rest`.
QByteArrayView takeToken(QByteArrayView &rest)
{
    const QByteArrayView token = rest.first(std::ranges::find_if_not(rest, isTokenCharacter) - rest.begin());
    rest = rest.sliced(token.size());
    return token;
}

/// Takes a quoted string off the front of `rest`; nothing when its closing quote is missing.
std::optional<QByteArray> takeQuoted(QByteArrayView &rest)
{
    QByteArray content;
    for (qsizetype i = 1; i < rest.size(); ++i) {
        if (rest[i] == '"') {
            rest = rest.sliced(i + 1);
            return content;
        }
        const bool escapes = rest[i] == '\\' && i + 1 < rest.size() && (rest[i + 1] == '"' || rest[i + 1] == '\\');
        i += escapes ? 1 : 0;
        content += rest[i];
    }
    return {};
}

/// Takes `name=value` off the front of `rest`.
std::optional<std::pair<QByteArray, QByteArray>> takeParameter(QByteArrayView &rest)
{
    const QByteArray name = takeToken(rest).toByteArray().toLower();
    if (name.isEmpty() || !rest.startsWith('=')) {
        return {};
    }
    rest = rest.sliced(1);
    if (rest.startsWith('"')) {
        if (auto quoted = takeQuoted(rest)) {
            return std::pair(name, *std::move(quoted));
        }
        return {};
    }
    const QByteArrayView token = takeToken(rest);
    return token.isEmpty() ? std::nullopt : std::optional(std::pair(name, token.toByteArray()));
}

bool hasName(const std::pair<QByteArray, QByteArray> &parameter, QByteArrayView name)
{
    return parameter.first == name;
}

} // namespace

std::optional<QByteArray> ParameterisedValue::parameter(QByteArrayView name) const
{
    const auto matches = [name](const auto &each) { return hasName(each, name); };
    const auto found = std::ranges::find_if(parameters, matches);
    if (found == parameters.end() || std::ranges::count_if(parameters, matches) > 1) {
        return {};
    }
    return found->second;
}

QByteArray ParameterisedValue::toText() const
{
    QByteArray text = value;
    for (const auto &[name, content] : parameters) {
        QByteArray escaped = content;
        escaped.replace('\\', "\\\\").replace('"', "\\\"");
        text += ';' + name + "=\"" + escaped + '"';
    }
    return text;
}

std::optional<ParameterisedValue> parseParameterised(QByteArrayView text)
{
    QByteArrayView rest = withoutOuterSpace(text);
    const auto endsValue = [](char c) { return c == ';' || isSpace(c); };
    const qsizetype length = std::ranges::find_if(rest, endsValue) - rest.begin();
    ParameterisedValue result {.value = rest.first(length).toByteArray().toLower()};
    rest = withoutOuterSpace(rest.sliced(result.value.size()));
    if (result.value.isEmpty()) {
        return {};
    }
    while (!rest.isEmpty()) {
        if (!rest.startsWith(';')) {
            return {};
        }
        rest = withoutOuterSpace(rest.sliced(1));
        if (rest.isEmpty() || rest.startsWith(';')) {
            continue;
        }
        auto parameter = takeParameter(rest);
        if (!parameter) {
            return {};
        }
        result.parameters.push_back(*std::move(parameter));
        rest = withoutOuterSpace(rest);
    }
    std::ranges::stable_sort(
        result.parameters, [](const auto &left, const auto &right) { return left.first < right.first; });
    return result;
}

std::optional<ParameterisedValue> parseMediaType(QByteArrayView text)
{
    auto type = parseParameterised(text);
    if (!type) {
        return {};
    }
    const qsizetype slash = type->value.indexOf('/');
    if (slash < 0 || !isToken(type->value.first(slash)) || !isToken(type->value.sliced(slash + 1))) {
        return {};
    }
    for (auto &[name, content] : type->parameters) {
        if (name == "charset") {
            content = content.toLower();
        }
    }
    return type;
}

bool isJson(const ParameterisedValue &mediaType)
{
    return mediaType.value == "application/json" || mediaType.value.endsWith("+json");
}

bool isMultipart(const ParameterisedValue &mediaType)
{
    return mediaType.value.startsWith("multipart/");
}

QByteArray canonicalMediaType(QByteArrayView text)
{
    auto type = parseMediaType(text);
    if (!type) {
        return withoutOuterSpace(text).toByteArray();
    }
    if (isMultipart(*type)) {
        std::erase_if(type->parameters, [](const auto &each) { return hasName(each, "boundary"); });
    }
    if (isJson(*type)) {
        std::erase_if(
            type->parameters, [](const auto &each) { return hasName(each, "charset") && each.second == "utf-8"; });
    }
    return type->toText();
}

bool isToken(QByteArrayView text)
{
    return !text.isEmpty() && std::ranges::all_of(text, isTokenCharacter);
}

QByteArrayView withoutOuterSpace(QByteArrayView text)
{
    while (!text.isEmpty() && isSpace(text.front())) {
        text = text.sliced(1);
    }
    while (!text.isEmpty() && isSpace(text.back())) {
        text.chop(1);
    }
    return text;
}

} // namespace idem::http
