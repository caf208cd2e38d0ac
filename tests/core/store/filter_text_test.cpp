// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/duration_text.h"
#include "core/store/filter.h"

#include <QStringList>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

// How a filter's text is read and written. What a filter lets through: filter_test.cpp.
namespace idem {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

void PrintTo(const Filter &filter, std::ostream *out)
{
    *out << filter.toString().toStdString();
}

namespace {

struct Refused
{
    QString text;
    qsizetype position;
    qsizetype length;
    QString message;
};

const std::vector<Refused> refusedTexts {
    // Fields.
    {u"tennant:acme"_s, 0, 7, u"There is no field \"tennant\"; did you mean tenant?"_s},
    {u"key:a  -Tenant:acme"_s, 8, 6, u"There is no field \"Tenant\"; did you mean tenant?"_s},
    {u"lease:<5s"_s, 0, 5, u"There is no field \"lease\"; did you mean lease_left?"_s},
    {u"order:123"_s, 0, 5, u"There is no field \"order\"; quotes around the term look for it in keys."_s},
    {u"\U0001F511\U0001F511:x"_s, 0, 4,
        u"There is no field \"\U0001F511\U0001F511\"; quotes around the term look for it in keys."_s},
    {u":x"_s, 0, 1, u"A field's name is missing before the colon."_s},
    // Values that are missing or too many.
    {u"age:"_s, 0, 4, u"A value is missing, as in age:>5m."_s},
    {u"pay age: >5m"_s, 4, 4, u"A value is missing, as in age:>5m."_s},
    {u"tenant:a,"_s, 8, 1, u"A value is missing beside the comma."_s},
    {u"tenant:a,,b"_s, 8, 1, u"A value is missing beside the comma."_s},
    {u","_s, 0, 1, u"A value is missing beside the comma."_s},
    {u"attempt:1,2"_s, 10, 1, u"attempt takes one value, without a comma."_s},
    {u"stuck:true,false"_s, 11, 5, u"stuck takes one value, without a comma."_s},
    // Signs.
    {u"a - b"_s, 2, 1, u"One minus sign negates the term right behind it."_s},
    {u"--a"_s, 0, 2, u"One minus sign negates the term right behind it."_s},
    {u"key:\"a b"_s, 4, 4, u"A quote is opened here and never closed."_s},
    {u"key:a\"b\"\""_s, 8, 1, u"A quote is opened here and never closed."_s},
    {u"key:\"a\\"_s, 6, 1, u"A backslash stands before a sign, such as \\*, or begins a byte, such as \\x1F."_s},
    {u"key:a\\nb"_s, 5, 2, u"A backslash stands before a sign, such as \\*, or begins a byte, such as \\x1F."_s},
    {u"\\x1"_s, 0, 2, u"A backslash stands before a sign, such as \\*, or begins a byte, such as \\x1F."_s},
    // Values.
    {u"state:failed,expired"_s, 13, 7, u"There is no state \"expired\"; did you mean lease_expired?"_s},
    {u"state:xyzzy"_s, 6, 5,
        u"There is no state \"xyzzy\"; a state is in_progress, completed, failed, abandoned, lease_expired, "
        u"outcome_unknown."_s},
    {u"state:*"_s, 6, 1,
        u"There is no state \"*\"; a state is in_progress, completed, failed, abandoned, lease_expired, "
        u"outcome_unknown."_s},
    {u"id:abc"_s, 3, 3, u"An id is 43 characters of base64url."_s},
    {u"age:=5m"_s, 4, 3, u"No duration is exact: age takes >, >=, < or <=, as in age:>5m."_s},
    {u"age:> 5m"_s, 4, 1, u"age takes a duration right behind the sign, as in age:>5m."_s},
    {u"ttl_left:<5"_s, 9, 2, u"The number 5 needs a unit: us, ms, s, m, h or d."_s},
    {u"attempt:many"_s, 8, 4, u"attempt takes a whole number, as in attempt:>1."_s},
    {u"attempt:>-1"_s, 8, 3, u"attempt takes a whole number, as in attempt:>1."_s},
    {u"fence:18446744073709551616"_s, 6, 20, u"The number is above 18446744073709551615."_s},
    {u"status:6xx"_s, 7, 3, u"A status is 100 to 599, as in status:404, status:5xx or status:>=400."_s},
    {u"status:0"_s, 7, 1, u"A status is 100 to 599, as in status:404, status:5xx or status:>=400."_s},
    {u"status:>=600"_s, 7, 5, u"A status is 100 to 599, as in status:404, status:5xx or status:>=400."_s},
    {u"stuck:yes"_s, 6, 3, u"stuck is true or false."_s},
    // Text.
    {u"ab\xD83D"_s, 2, 1, u"This is half of a character."_s},
    {u"\U0001F511\xDD11"_s, 2, 1, u"This is half of a character."_s},
};

struct Written
{
    QString text;
    QString canonical;
};

const std::vector<Written> writtenTexts {
    {u""_s, u""_s},
    {u"  pay  "_s, u"key:*pay*"_s},
    {u"*pay*"_s, u"key:*pay*"_s},
    {u"\"\""_s, u"key:*"_s},
    {u"-a,b"_s, u"-key:*a*,*b*"_s},
    {u"state:in_progress,lease_expired -tenant:acme"_s, u"state:in_progress,lease_expired -tenant:acme"_s},
    {u"tenant:\"acme\""_s, u"tenant:acme"_s},
    {u"tenant:\"\",\"a b\",\"c,d\",e:f"_s, u"tenant:\"\",\"a b\",\"c,d\",e:f"_s},
    {u"key:a\" \"b\"*\"\\*\\?\\\"\\\\"_s, u"key:\"a b*\\*\\?\\\"\\\\\""_s},
    {u"key:>5,-x"_s, u"key:>5,-x"_s},
    {u"key:\"a\nb\""_s, u"key:a\\x0ab"_s},
    {u"key:\\xC3\\xA9,\u00E9"_s, u"key:\u00E9,\u00E9"_s},
    {u"key:\u00E9\\xFF"_s, u"key:\\xc3\\xa9\\xff"_s},
    {u"key:\U0001F511*"_s, u"key:\U0001F511*"_s},
    {u"key:\"a\u00A0b\""_s, u"key:\"a\u00A0b\""_s},
    {u"age:5m lease_left:30s ttl_left:>1.5h"_s, u"age:>=5m lease_left:<=30s ttl_left:>1h30m"_s},
    {u"lease_left:<-300s"_s, u"lease_left:<-5m"_s},
    {u"attempt:=1 replays:>0 waiting:<=007"_s, u"attempt:1 replays:>0 waiting:<=7"_s},
    {u"status:5xx,404,>=500"_s, u"status:5xx,404,>=500"_s},
    {u"-stuck:false late:true"_s, u"-stuck:false late:true"_s},
};

/// Draws filters' texts from the language's own grammar.
class Writer
{
public:
    explicit Writer(unsigned seed)
        : m_random(seed)
    {
    }

    std::size_t below(std::size_t bound) { return m_random() % bound; }

    QString filter()
    {
        QStringList texts;
        for (std::size_t count = below(6); count > 0; --count) {
            texts += (below(3) == 0 ? u"-"_s : QString()) + term();
        }
        return texts.join(u' ');
    }

private:
    QString oneOf(const QStringList &list) { return list[qsizetype(below(std::size_t(list.size())))]; }

    QString text()
    {
        QString result;
        for (std::size_t count = 1 + below(6); count > 0; --count) {
            result += oneOf({u"a"_s, u"-"_s, u">"_s, u"\u00E9"_s, u"\U0001F511"_s, u"\uFEFF"_s, u"*"_s, u"?"_s,
                u"\\*"_s, u"\\?"_s, u"\\\\"_s, u"\\\""_s, u"\\,"_s, u"\\ "_s, u"\\x80"_s, u"\\xC3"_s, u"\\xa9"_s,
                u"\\x00"_s, u"\" , : \""_s, u"\"*\n\""_s, u"\"\""_s});
        }
        return result;
    }

    QString value(FilterKind kind)
    {
        const QString sign = oneOf({u">"_s, u">="_s, u"<"_s, u"<="_s, u""_s});
        RecordId id;
        switch (kind) {
        case FilterKind::State:
            return toString(State(below(StateCount)));
        case FilterKind::Text:
            return text();
        case FilterKind::Id:
            std::ranges::generate(id.bytes, [this] { return std::uint8_t(below(256)); });
            return id.toString();
        case FilterKind::TimeSpan:
            return sign + oneOf({u"0s"_s, u"90m"_s, u"1.5h"_s, u"1h30m7us"_s, u"-5m"_s, u"36500d"_s, u"0.25ms"_s});
        case FilterKind::Number:
            return sign + QString::number(m_random() >> below(64));
        case FilterKind::Status:
            return below(2) == 0 ? oneOf({u"1xx"_s, u"5xx"_s}) : sign + QString::number(100 + below(500));
        case FilterKind::Flag:
            return oneOf({u"true"_s, u"false"_s});
        }
        return {};
    }

    QString term()
    {
        const std::size_t which = below(Filter::fields().size() + 1);
        if (which == Filter::fields().size()) {
            return u"\"\""_s + text(); // bare, behind a quote that no field's name can hold
        }
        const FilterFieldInfo &info = Filter::fields()[which];
        QStringList values {value(info.kind)};
        while (info.takesList && below(2) == 0) {
            values += value(info.kind);
        }
        return u"%1:%2"_s.arg(info.name, values.join(u','));
    }

    std::mt19937_64 m_random;
};

/// What must hold of any text. Counts the filters among them.
void checkAnyText(const QString &text, int &filters)
{
    const auto filter = Filter::parse(text);
    if (filter) {
        const QString canonical = filter->toString();
        ASSERT_EQ(Filter::parse(canonical), *filter) << text.toStdString();
        ASSERT_LE(filter->terms.size(), Filter::maxTerms);
        ++filters;
        return;
    }
    const FilterError &error = filter.error();
    ASSERT_FALSE(error.message.isEmpty());
    ASSERT_GE(error.position, 0);
    ASSERT_GE(error.length, 1);
    ASSERT_LE(error.position + error.length, text.size()) << error.message.toStdString();
}

} // namespace

TEST(FilterText, ARefusalSaysWhatIsWrongAndWhere)
{
    for (const Refused &refused : refusedTexts) {
        const auto filter = Filter::parse(refused.text);
        ASSERT_FALSE(filter) << refused.text.toStdString();
        EXPECT_EQ(filter.error().message.toStdString(), refused.message.toStdString()) << refused.text.toStdString();
        EXPECT_EQ(filter.error().position, refused.position) << refused.text.toStdString();
        EXPECT_EQ(filter.error().length, refused.length) << refused.text.toStdString();
    }
}

TEST(FilterText, AMessageQuotesNoLongText)
{
    const QString name = QString(39, u'x') + QString(100, u'\u20AC');
    EXPECT_EQ(Filter::parse(name + u":1"_s).error().message,
        u"There is no field \"%1\u20AC...\"; quotes around the term look for it in keys."_s.arg(QString(39, u'x')));
    const QString pairs = QString(39, u'x') + u"\U0001F511\U0001F511"_s;
    EXPECT_TRUE(Filter::parse(pairs + u":1"_s).error().message.isValidUtf16()) << "no half of a pair";
}

TEST(FilterText, IsWrittenInOneWay)
{
    for (const Written &written : writtenTexts) {
        const auto filter = Filter::parse(written.text);
        ASSERT_TRUE(filter) << written.text.toStdString() << ": " << filter.error().message.toStdString();
        EXPECT_EQ(filter->toString().toStdString(), written.canonical.toStdString());
        EXPECT_EQ(Filter::parse(written.canonical), *filter) << written.canonical.toStdString();
    }
}

TEST(FilterText, TermsAreData)
{
    const auto filter = Filter::parse(u"-status:5xx,404 age:>1h key:p*");
    ASSERT_TRUE(filter);
    TextPattern pattern = TextPattern::startingWith("p");
    EXPECT_EQ(filter->terms,
        (std::vector<FilterTerm> {
            {FilterField::Status, true, {StatusClass {5}, NumberTest {Comparison::Equal, 404}}},
            {FilterField::Age, false, {DurationTest {Comparison::Greater, 1h}}},
            {FilterField::Key, false, {pattern}},
        }));
    EXPECT_NE(Filter::parse(u"key:a"), Filter::parse(u"-key:a"));
    EXPECT_NE(Filter::parse(u"age:>1h"), Filter::parse(u"age:>=1h"));
}

TEST(FilterText, TheVocabularyIsInOrderAndItsExamplesHold)
{
    const auto fields = Filter::fields();
    ASSERT_EQ(fields.size(), std::size_t(FilterField::SideEffect) + 1);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        EXPECT_EQ(fields[i].field, FilterField(i));
        const auto filter = Filter::parse(fields[i].example);
        ASSERT_TRUE(filter) << fields[i].example.toString().toStdString();
        ASSERT_EQ(filter->terms.size(), 1U);
        EXPECT_EQ(filter->terms.front().field, fields[i].field);
        EXPECT_EQ(filter->toString(), fields[i].example);
        EXPECT_TRUE(fields[i].example.startsWith(fields[i].name));
    }
}

TEST(FilterText, IsBounded)
{
    const QString longest(Filter::maxLength - 6, u'a'); // "key:" and two stars
    EXPECT_TRUE(Filter::parse(longest));
    const auto tooLong = Filter::parse(longest + u"bcdefgh"_s);
    ASSERT_FALSE(tooLong);
    EXPECT_EQ(tooLong.error().message, u"A filter has at most 4,096 characters."_s);
    EXPECT_EQ(tooLong.error().position, Filter::maxLength);
    EXPECT_EQ(tooLong.error().length, 1);
    const auto tooLongOnceWritten = Filter::parse(longest + u'b');
    ASSERT_FALSE(tooLongOnceWritten);
    EXPECT_EQ(tooLongOnceWritten.error().position, 0);
    EXPECT_FALSE(Filter::parse(QString(100'000'000, u'\\')));

    QString terms;
    for (std::size_t i = 0; i < Filter::maxTerms; ++i) {
        terms += u"late:true "_s;
    }
    EXPECT_EQ(Filter::parse(terms)->terms.size(), 64U);
    const auto tooMany = Filter::parse(terms + u"-x y"_s);
    ASSERT_FALSE(tooMany);
    EXPECT_EQ(tooMany.error().message, u"A filter has at most 64 terms."_s);
    EXPECT_EQ(tooMany.error().position, terms.size());
    EXPECT_EQ(tooMany.error().length, 4);
}

TEST(FilterText, RandomFiltersLeadThereAndBack)
{
    Writer writer(3);
    for (int i = 0; i < 5'000; ++i) {
        const QString text = writer.filter();
        const auto filter = Filter::parse(text);
        ASSERT_TRUE(filter) << text.toStdString() << ": " << filter.error().message.toStdString();
        ASSERT_EQ(Filter::parse(filter->toString()), *filter) << text.toStdString();
        ASSERT_EQ(Filter::parse(filter->toString())->toString(), filter->toString());
    }
}

TEST(FilterText, AnyTextEndsInAFilterOrAnError)
{
    Writer writer(17);
    const QString signs = u":-,\"\\*?<>=.x0159amsd_ \t\n\u00B5\u00E9\xD83D\xDD11"_s + QChar(u'\0');
    int filters = 0;
    constexpr int rounds = 20'000;
    for (int i = 0; i < rounds; ++i) {
        QString text = writer.filter();
        const bool isPlain = writer.below(2) == 0;
        for (std::size_t edits = 1 + writer.below(8); edits > 0; --edits) {
            const auto at = qsizetype(writer.below(std::size_t(text.size()) + 1));
            const QChar sign = isPlain ? signs[qsizetype(writer.below(std::size_t(signs.size())))]
                                       : QChar(char16_t(writer.below(0x10000)));
            if (writer.below(3) == 0) {
                text.remove(at, qsizetype(writer.below(4)));
            } else {
                text.insert(at, sign);
            }
        }
        checkAnyText(text, filters);
        if (HasFatalFailure()) {
            return;
        }
    }
    EXPECT_GT(filters, rounds / 20) << "both ends are met";
    EXPECT_LT(filters, rounds * 19 / 20);
}

} // namespace idem
