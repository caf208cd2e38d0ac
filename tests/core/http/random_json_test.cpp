// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/http/canonical_json.h"
#include "tests/core/http/fingerprints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

/// Random JSON values, spelt at random: every spelling of a value has its fingerprint, and every other value another.
namespace idem {
namespace {

using json::Array;
using json::Member;
using json::Number;
using json::Object;
using json::Value;
using test::ofJson;

class Dice
{
public:
    explicit Dice(unsigned seed)
        : m_engine(seed)
    {
    }

    /// 0...bound - 1.
    int below(int bound) { return static_cast<int>(m_engine() % static_cast<unsigned>(bound)); }
    bool oneIn(int count) { return below(count) == 0; }
    /// Fisher and Yates.
    template <typename T> void shuffle(std::vector<T> &items)
    {
        for (std::size_t i = items.size(); i > 1; --i) {
            std::swap(items[i - 1], items[m_engine() % i]);
        }
    }

private:
    std::mt19937_64 m_engine;
};

/// Ends in no 0, so that a digit more or another one is another value.
QByteArray randomDigits(Dice &dice)
{
    QByteArray digits;
    for (int i = dice.below(25); i > 0; --i) {
        digits += static_cast<char>('0' + dice.below(10));
    }
    return digits + static_cast<char>('1' + dice.below(9));
}

QString randomString(Dice &dice)
{
    static const std::vector<char32_t> characters {U'a', U'b', U'A', U'0', U' ', U'"', U'\\', U'/', U'\n', U'\t', U'\0',
        U'\x1f', U'\x7f', U'é', U'\u0301', U'€', U'\ufb33', U'\ufffe', U'😀', U'\U0010ffff'};
    QString text;
    for (int i = dice.below(6); i > 0; --i) {
        text += QChar::fromUcs4(characters[static_cast<std::size_t>(dice.below(static_cast<int>(characters.size())))]);
    }
    return text;
}

Value randomValue(Dice &dice, int depth)
{
    Value value;
    switch (dice.below(depth > 0 ? 7 : 4)) {
    case 0:
        value.data = nullptr;
        break;
    case 1:
        value.data = dice.oneIn(2);
        break;
    case 2:
        value.data = Number {randomDigits(dice) + 'e' + QByteArray::number(dice.below(60) - 30)};
        break;
    case 3:
        value.data = randomString(dice);
        break;
    case 4:
        for (auto &items = value.data.emplace<Array>(); !dice.oneIn(4);) {
            items.push_back(randomValue(dice, depth - 1));
        }
        break;
    default:
        for (auto &members = value.data.emplace<Object>(); !dice.oneIn(5);) {
            Member member {.name = randomString(dice), .value = randomValue(dice, depth - 1)};
            const auto isTaken = [&](const Member &other) { return other.name == member.name; };
            if (std::ranges::none_of(members, isTaken)) {
                members.push_back(std::move(member));
            }
        }
    }
    return value;
}

QByteArray randomSpace(Dice &dice)
{
    return dice.oneIn(3) ? QByteArray(" \t\r\n").sliced(dice.below(4), 1) : QByteArray();
}

/// A number `digits`e`exponent` with its point anywhere, zeros around it, and an exponent that makes up for both.
QByteArray spelt(const Number &number, Dice &dice)
{
    const qsizetype e = number.text.indexOf('e');
    QByteArray digits = number.text.first(e);
    int exponent = number.text.sliced(e + 1).toInt();
    for (int zeros = dice.below(4); zeros > 0; --zeros, --exponent) {
        digits += '0';
    }
    const int behindPoint = dice.below(40);
    exponent += behindPoint;
    digits = digits.rightJustified(behindPoint + 1, '0');
    QByteArray before = digits.chopped(behindPoint);
    while (before.size() > 1 && before.startsWith('0')) {
        before.remove(0, 1);
    }
    QByteArray text = before;
    if (behindPoint > 0) {
        text += '.' + digits.last(behindPoint);
    }
    if (exponent != 0 || dice.oneIn(2)) {
        text += dice.oneIn(2) ? 'e' : 'E';
        text += exponent < 0 ? "-" : dice.oneIn(2) ? "+" : "";
        text += QByteArray(dice.below(3), '0') + QByteArray::number(std::abs(exponent));
    }
    return text;
}

QByteArray spelt(const QString &string, Dice &dice)
{
    static const std::vector<std::pair<char16_t, const char *>> letters {
        {u'"', "\\\""}, {u'\\', "\\\\"}, {u'/', "\\/"}, {u'\n', "\\n"}, {u'\t', "\\t"}};
    QByteArray text = "\"";
    for (qsizetype i = 0; i < string.size(); ++i) {
        const char16_t unit = string[i].unicode();
        const auto letter = std::ranges::find(letters, unit, &std::pair<char16_t, const char *>::first);
        const bool pair = string[i].isHighSurrogate();
        if (letter != letters.end() && dice.oneIn(2)) {
            text += letter->second;
        } else if (unit < 0x20 || unit == u'"' || unit == u'\\' || dice.oneIn(3)) {
            for (const QChar each : string.mid(i, pair ? 2 : 1)) {
                const QByteArray hex = QByteArray::number(each.unicode(), 16).rightJustified(4, '0');
                text += "\\u" + (dice.oneIn(2) ? hex.toUpper() : hex);
            }
            i += pair ? 1 : 0;
        } else {
            text += string.mid(i, pair ? 2 : 1).toUtf8();
            i += pair ? 1 : 0;
        }
    }
    return text + '"';
}

QByteArray spelt(const Value &value, Dice &dice)
{
    std::vector<QByteArray> items;
    QByteArray text;
    if (const auto *array = value.as<Array>()) {
        std::ranges::transform(*array, std::back_inserter(items), [&](const Value &each) { return spelt(each, dice); });
    } else if (const auto *object = value.as<Object>()) {
        for (const Member &member : *object) {
            items.push_back(spelt(member.name, dice) + randomSpace(dice) + ':' + spelt(member.value, dice));
        }
        dice.shuffle(items);
    } else if (const auto *number = value.as<Number>()) {
        text = spelt(*number, dice);
    } else if (const auto *string = value.as<QString>()) {
        text = spelt(*string, dice);
    } else if (const auto *boolean = value.as<bool>()) {
        text = *boolean ? "true" : "false";
    } else {
        text = "null";
    }
    if (value.as<Array>() || value.as<Object>()) {
        text += value.as<Array>() ? '[' : '{';
        for (std::size_t i = 0; i < items.size(); ++i) {
            text += (i > 0 ? "," : "") + randomSpace(dice) + items[i] + randomSpace(dice);
        }
        text += value.as<Array>() ? ']' : '}';
    }
    return randomSpace(dice) + text + randomSpace(dice);
}

void collect(Value &value, std::vector<Value *> &all)
{
    all.push_back(&value);
    if (auto *array = std::get_if<Array>(&value.data)) {
        std::ranges::for_each(*array, [&](Value &each) { collect(each, all); });
    } else if (auto *object = std::get_if<Object>(&value.data)) {
        std::ranges::for_each(*object, [&](Member &each) { collect(each.value, all); });
    }
}

/// Makes another value of one of the values in `root`.
void change(Value &root, Dice &dice)
{
    std::vector<Value *> all;
    collect(root, all);
    Value &value = *all[static_cast<std::size_t>(dice.below(static_cast<int>(all.size())))];
    if (dice.oneIn(8)) {
        Value wrapped;
        wrapped.data.emplace<Array>().push_back(value);
        value = wrapped;
    } else if (auto *array = std::get_if<Array>(&value.data)) {
        array->insert(array->begin() + dice.below(static_cast<int>(array->size()) + 1), Value());
    } else if (auto *object = std::get_if<Object>(&value.data)) {
        if (object->empty() || dice.oneIn(2)) {
            object->push_back({.name = QStringLiteral("a name that is not there")});
        } else {
            object->erase(object->begin() + dice.below(static_cast<int>(object->size())));
        }
    } else if (auto *number = std::get_if<Number>(&value.data)) {
        // Another last digit or another exponent is another value, because the digits do not end in 0.
        const qsizetype e = number->text.indexOf('e');
        const char last = number->text[e - 1];
        number->text = dice.oneIn(2)
            ? number->text + '1'
            : number->text.first(e - 1) + (last == '9' ? '8' : char(last + 1)) + number->text.sliced(e);
    } else if (auto *string = std::get_if<QString>(&value.data)) {
        string->insert(dice.below(2) * string->size(), u'x');
    } else if (auto *boolean = std::get_if<bool>(&value.data)) {
        *boolean = !*boolean;
    } else {
        value.data = false;
    }
}

TEST(RandomJson, HasOneFingerprintHoweverItIsSpelt)
{
    Dice dice(20260801);
    for (int round = 0; round < 2000; ++round) {
        const Value value = randomValue(dice, 4);
        const QByteArray first = spelt(value, dice);
        const QByteArray second = spelt(value, dice);
        ASSERT_EQ(ofJson(first), ofJson(second)) << first.toStdString() << "\n" << second.toStdString();
    }
}

TEST(RandomJson, HasAnotherFingerprintWhenAnyValueInItChanges)
{
    Dice dice(20260802);
    for (int round = 0; round < 2000; ++round) {
        const Value value = randomValue(dice, 4);
        Value changed = value;
        change(changed, dice);
        const QByteArray first = spelt(value, dice);
        const QByteArray second = spelt(changed, dice);
        ASSERT_NE(ofJson(first), ofJson(second)) << first.toStdString() << "\n" << second.toStdString();
    }
}

TEST(RandomJson, HasACanonicalTextThatIsJsonAndItsOwnCanonicalText)
{
    Dice dice(20260803);
    for (int round = 0; round < 2000; ++round) {
        const QByteArray text = json::canonicalText(randomValue(dice, 4));
        const auto again = json::parse(text);
        ASSERT_TRUE(again.has_value()) << text.toStdString();
        ASSERT_EQ(json::canonicalText(*again), text);
    }
}

} // namespace
} // namespace idem
