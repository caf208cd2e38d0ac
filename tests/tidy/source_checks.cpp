// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/source_checks.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace tidy {

namespace {

std::vector<std::string> linesOf(std::string_view text)
{
    std::vector<std::string> lines;
    std::istringstream stream{std::string(text)};
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::string at(const Source &source, std::size_t line, const std::string &what)
{
    return source.path + ":" + std::to_string(line) + ": " + what;
}

bool startsWith(std::string_view text, std::string_view prefix)
{
    return text.substr(0, prefix.size()) == prefix;
}

bool endsWith(std::string_view text, std::string_view suffix)
{
    return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

bool isCpp(const Source &source)
{
    return endsWith(source.path, ".cpp") || endsWith(source.path, ".h");
}

std::string folderOf(std::string_view path)
{
    return std::string(path.substr(0, path.rfind('/')));
}

/// The room that a folder belongs to: itself or the nearest folder above it that has a layer; empty without.
std::string roomOf(std::string folder, const Layers &layers)
{
    while (layers.find(folder) == layers.end()) {
        const auto slash = folder.rfind('/');
        if (slash == std::string::npos)
            return {};
        folder.resize(slash);
    }
    return folder;
}

Findings findAll(const Source &source, const std::string &code, const std::regex &pattern, const std::string &what)
{
    Findings findings;
    const auto lines = linesOf(code);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::smatch match;
        if (std::regex_search(lines[i], match, pattern))
            findings.push_back(at(source, i + 1, match.str() + ": " + what));
    }
    return findings;
}

/// True when the word that ends before `i` is a number: an apostrophe there separates digits, as in 1'000 but not u'x'.
bool isInsideNumber(std::string_view text, std::size_t i)
{
    std::size_t start = i;
    while (start > 0 && (std::isalnum(static_cast<unsigned char>(text[start - 1])) != 0 || text[start - 1] == '\''))
        --start;
    return start < i && std::isdigit(static_cast<unsigned char>(text[start])) != 0;
}

/// Blanks one literal or comment that starts at `i`; returns the index behind it, or `i` where none starts.
std::size_t blankOne(std::string_view text, std::size_t i, std::string &out)
{
    const auto blankTo = [&](std::size_t end) {
        end = std::min(end, text.size());
        for (std::size_t k = i; k < end; ++k)
            out[k] = text[k] == '\n' ? '\n' : ' ';
        return end;
    };
    const auto endOf = [&](std::string_view mark, std::size_t from) {
        const auto found = text.find(mark, from);
        return found == std::string_view::npos ? text.size() : found + mark.size();
    };
    if (startsWith(text.substr(i), "//"))
        return blankTo(std::min(text.find('\n', i), text.size()));
    if (startsWith(text.substr(i), "/*"))
        return blankTo(endOf("*/", i + 2));
    if (startsWith(text.substr(i), "R\"")) {
        const auto open = text.find('(', i);
        return blankTo(endOf(")" + std::string(text.substr(i + 2, open - i - 2)) + "\"", open));
    }
    const bool digitSeparator = text[i] == '\'' && isInsideNumber(text, i);
    if ((text[i] == '"' || text[i] == '\'') && !digitSeparator) {
        auto end = i + 1;
        while (end < text.size() && text[end] != text[i] && text[end] != '\n')
            end += text[end] == '\\' ? 2 : 1;
        return blankTo(end + 1);
    }
    return i;
}

/// True when the text before a brace heads a function or a lambda, not a type, a namespace, a statement or a list.
bool headsFunction(const std::string &head)
{
    static const std::regex other(R"(^\s*(namespace|class|struct|union|enum|if|else|for|while|do|switch|try|catch)\b)");
    static const std::regex body(
        R"(\)\s*(const|noexcept|override|final|mutable|&|&&|->.*|:[^:].*)*\s*$|\]\s*(mutable\s*)?$)");
    return !std::regex_search(head, other) && std::regex_search(head, body);
}

} // namespace

Layers parseLayers(std::string_view cmakeText)
{
    static const std::regex entry(R"re("([0-9]+):([^"]+)")re");
    const std::string text(cmakeText);
    Layers layers;
    for (std::sregex_iterator it(text.begin(), text.end(), entry), end; it != end; ++it)
        layers[(*it)[2]] = std::stoi((*it)[1]);
    return layers;
}

std::string codeOnly(std::string_view text)
{
    std::string out(text);
    for (std::size_t i = 0; i < text.size();) {
        const auto next = blankOne(text, i, out);
        i = next == i ? i + 1 : next;
    }
    return out;
}

Findings checkWhitespace(const Source &source)
{
    Findings findings;
    const auto lines = linesOf(source.text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto &line = lines[i];
        if (line.find('\t') != std::string::npos)
            findings.push_back(at(source, i + 1, "tab"));
        if (!line.empty() && (line.back() == ' ' || line.back() == '\r'))
            findings.push_back(at(source, i + 1, "white space at the end of the line"));
        const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
        if (isCpp(source) && columns > maxColumns)
            findings.push_back(at(source, i + 1, "longer than " + std::to_string(maxColumns) + " columns"));
    }
    if (!source.text.empty() && source.text.back() != '\n')
        findings.push_back(at(source, lines.size(), "no newline at the end of the file"));
    return findings;
}

Findings checkLicence(const Source &source)
{
    const bool desktop = startsWith(source.path, "app/") || startsWith(source.path, "tests/app/");
    const std::string licence = desktop ? "GPL-3.0-or-later" : "Apache-2.0";
    const auto head = source.text.substr(0, 400);
    Findings findings;
    if (head.find("SPDX-FileCopyrightText: ") == std::string::npos)
        findings.push_back(at(source, 1, "no SPDX-FileCopyrightText line"));
    if (head.find("SPDX-License-Identifier: " + licence + "\n") == std::string::npos)
        findings.push_back(at(source, 1, "no line SPDX-License-Identifier: " + licence));
    return findings;
}

Findings checkFileLength(const Source &source)
{
    const auto lines = std::count(source.text.begin(), source.text.end(), '\n');
    if (lines <= maxFileLines)
        return {};
    return {at(source, maxFileLines, std::to_string(lines) + " lines, " + std::to_string(maxFileLines) + " at most")};
}

Findings checkFunctionLength(const Source &source)
{
    struct Block
    {
        int line;
        bool function;
    };
    Findings findings;
    std::vector<Block> open;
    std::string head;
    int line = 1;
    int parentheses = 0;
    for (const char c : codeOnly(source.text)) {
        line += c == '\n' ? 1 : 0;
        parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == '{') {
            open.push_back({line, headsFunction(head)});
            head.clear();
        } else if (c == '}' && !open.empty()) {
            const auto block = open.back();
            open.pop_back();
            const int length = line - block.line + 1;
            if (block.function && length > maxFunctionLines)
                findings.push_back(at(source, static_cast<std::size_t>(block.line),
                    "function of " + std::to_string(length) + " lines, " + std::to_string(maxFunctionLines)
                        + " at most"));
            head.clear();
        } else if (c == ';' && parentheses == 0) {
            head.clear();
        } else {
            head += c == '\n' ? ' ' : c;
        }
    }
    return findings;
}

Findings checkIncludes(const Source &source, const Layers &layers)
{
    static const std::regex include(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
    const auto own = roomOf(folderOf(source.path), layers);
    Findings findings;
    const auto lines = linesOf(source.text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::smatch match;
        if (!std::regex_search(lines[i], match, include))
            continue;
        const std::string target = match[2];
        if (target.find("qcustomplot.h") != std::string::npos && own != "app/plot")
            findings.push_back(at(source, i + 1, "only app/plot includes qcustomplot.h"));
        if (match[1] == "<" || endsWith(target, ".moc"))
            continue;
        const auto other = roomOf(folderOf(target), layers);
        if (target.find('/') == std::string::npos || other.empty())
            findings.push_back(at(source, i + 1, target + ": quoted includes are written from the root"));
        else if (other != own && !own.empty() && layers.at(other) >= layers.at(own))
            findings.push_back(at(source, i + 1, own + " must not include " + target + ": layers go down only"));
    }
    return findings;
}

Findings checkDeterminism(const Source &source)
{
    static const std::regex clocks(R"((steady_clock|system_clock|high_resolution_clock)::now)"
                                   R"(|\bclock_gettime\b|QElapsedTimer|currentDateTime|currentMSecs)");
    static const std::regex draws(
        R"(std::(normal|uniform_int|uniform_real|exponential|poisson|bernoulli)\w*_distribution)"
        R"(|std::shuffle|\bs?rand\(|QRandomGenerator|random_device)");
    static const std::regex unordered(R"(std::unordered_\w+|\bQHash\b|\bQSet\b)");
    const auto code = codeOnly(source.text);
    Findings findings;
    const auto add = [&](const Findings &more) { findings.insert(findings.end(), more.begin(), more.end()); };
    const bool simulator = startsWith(source.path, "simulator/") && !startsWith(source.path, "simulator/live/");
    if (simulator || (startsWith(source.path, "core/store/") && source.path != "core/store/clock.cpp"))
        add(findAll(source, code, clocks, "time comes from the injected clock"));
    if (simulator) {
        add(findAll(source, code, draws, "random numbers come from the keyed generator"));
        add(findAll(source, code, unordered, "its order differs between platforms"));
    }
    return findings;
}

Findings checkUnfinished(const Source &source)
{
    static const std::regex marks(R"(\b(TODO|FIXME|XXX|HACK)\b)");
    // The pattern above names the words, which is not unfinished work.
    if (startsWith(source.path, "tests/tidy/"))
        return {};
    return findAll(source, source.text, marks, "finish it or file it");
}

} // namespace tidy
