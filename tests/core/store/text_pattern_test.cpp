// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/text_pattern.h"

#include <gtest/gtest.h>

#include <random>

namespace idem {

namespace {

/// `*` and `?` in `text` are wildcards.
TextPattern patternOf(QByteArrayView text)
{
    TextPattern pattern;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == '*') {
            pattern.append(Wildcard::AnyText);
        } else if (text[i] == '?') {
            pattern.append(Wildcard::OneCharacter);
        } else {
            pattern.append(text.sliced(i, 1));
        }
    }
    return pattern;
}

/// The definition of a glob over ASCII, which tries everything.
bool matchesByDefinition(QByteArrayView pattern, QByteArrayView text)
{
    if (pattern.isEmpty()) {
        return text.isEmpty();
    }
    const QByteArrayView rest = pattern.sliced(1);
    if (pattern.front() == '*') {
        return matchesByDefinition(rest, text) || (!text.isEmpty() && matchesByDefinition(pattern, text.sliced(1)));
    }
    return !text.isEmpty() && (pattern.front() == '?' || pattern.front() == text.front())
        && matchesByDefinition(rest, text.sliced(1));
}

} // namespace

TEST(TextPattern, KeepsACanonicalForm)
{
    TextPattern pattern;
    pattern.append("a");
    pattern.append("");
    pattern.append("b");
    EXPECT_EQ(pattern, TextPattern::exactly("ab"));
    EXPECT_TRUE(pattern.isExact());
    EXPECT_EQ(pattern.exactText(), "ab");
    pattern.append(Wildcard::AnyText);
    pattern.append(Wildcard::AnyText);
    EXPECT_EQ(pattern, TextPattern::startingWith("ab"));
    EXPECT_FALSE(pattern.isExact());
    pattern.append(Wildcard::OneCharacter);
    pattern.append(Wildcard::OneCharacter);
    EXPECT_EQ(pattern.parts.size(), 4U);
    EXPECT_TRUE(TextPattern().isExact());
    EXPECT_EQ(TextPattern().exactText(), "");
    EXPECT_EQ(TextPattern::exactly(""), TextPattern());
}

TEST(TextPattern, AQuestionMarkIsOneCharacter)
{
    EXPECT_TRUE(patternOf("?").matches("a"));
    EXPECT_TRUE(patternOf("?").matches("\u00E9"));
    EXPECT_TRUE(patternOf("?").matches("\U0001F511"));
    EXPECT_FALSE(patternOf("?").matches(""));
    EXPECT_FALSE(patternOf("?").matches("ab"));
    EXPECT_FALSE(patternOf("??").matches("\u20AC")) << "three bytes, but one character";
    EXPECT_FALSE(patternOf("*??").matches("\u20AC"));
    EXPECT_TRUE(patternOf("*??").matches("a\u20AC"));
    EXPECT_TRUE(patternOf("k?y").matches("k\u20ACy"));
    EXPECT_TRUE(patternOf("?").matches("\xFF")) << "a byte that is no character counts as one";
}

TEST(TextPattern, MatchesBytesOfAnyValue)
{
    EXPECT_TRUE(TextPattern::exactly(QByteArray("a\0b", 3)).matches(QByteArray("a\0b", 3)));
    EXPECT_FALSE(TextPattern::exactly("a").matches(QByteArray("a\0", 2)));
    EXPECT_TRUE(TextPattern::startingWith("\x80").matches("\x80\x81"));
    EXPECT_FALSE(TextPattern::exactly("Pay").matches("pay"));
}

TEST(TextPattern, AgreesWithTheDefinition)
{
    std::mt19937 random(5);
    const auto draw = [&random](const char *alphabet, std::size_t maxLength) {
        QByteArray text;
        for (std::size_t length = random() % (maxLength + 1); length > 0; --length) {
            text.append(alphabet[random() % qstrlen(alphabet)]);
        }
        return text;
    };
    int matching = 0;
    constexpr int rounds = 200'000;
    for (int i = 0; i < rounds; ++i) {
        const QByteArray pattern = draw("ab*?", 8);
        const QByteArray text = draw("ab", 10);
        const bool isMatch = matchesByDefinition(pattern, text);
        ASSERT_EQ(patternOf(pattern).matches(text), isMatch) << pattern.toStdString() << " on " << text.toStdString();
        matching += isMatch ? 1 : 0;
    }
    EXPECT_GT(matching, rounds / 20) << "both answers are tried";
    EXPECT_LT(matching, rounds * 19 / 20);
}

TEST(TextPattern, ManyStarsTakeNoExponentialTime)
{
    TextPattern pattern;
    for (int i = 0; i < 1000; ++i) {
        pattern.append(Wildcard::AnyText);
        pattern.append("a");
    }
    pattern.append("b");
    EXPECT_FALSE(pattern.matches(QByteArray(4000, 'a')));
    EXPECT_TRUE(pattern.matches(QByteArray(4000, 'a') + 'b'));
}

} // namespace idem
