// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/palette.h"

#include <QSet>
#include <QTest>

using namespace idem::app;

namespace {

constexpr double readable = 4.5; // WCAG 2.1, success criterion 1.4.3

void compareReadable(const QColor &text, const QColor &background, const QString &where)
{
    const double ratio = contrastRatio(text, background);
    QVERIFY2(ratio >= readable,
        qPrintable(QStringLiteral("%1: %2 on %3 has %4").arg(where, text.name(), background.name()).arg(ratio)));
}

} // namespace

class PaletteTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void computesTheRatioOfTheStandard()
    {
        // The extremes, and the published ratio of #777777 on white, the usual example of a colour that just fails.
        QCOMPARE(contrastRatio(Qt::white, Qt::black), 21.0);
        QCOMPARE(contrastRatio(Qt::white, Qt::white), 1.0);
        QVERIFY(qAbs(contrastRatio(QColor(0x77, 0x77, 0x77), Qt::white) - 4.48) < 0.005);
    }

    void everyTextIsReadable_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void everyTextIsReadable()
    {
        QFETCH(bool, dark);
        const Theme theme = dark ? Theme::Dark : Theme::Light;
        const QPalette palette = makePalette(theme);
        QCOMPARE(themeOf(palette), theme);
        for (int i = 0; i < VisualCount; ++i) {
            const auto visual = static_cast<Visual>(i);
            for (const auto role : {QPalette::Base, QPalette::AlternateBase, QPalette::Highlight, QPalette::Window}) {
                compareReadable(textColor(visual, theme), palette.color(role), wordOf(visual));
            }
        }
        const ThemeColors &colors = themeColors(theme);
        compareReadable(textColor(Visual::Stuck, theme), colors.stuckBand, QStringLiteral("stuck band"));
        compareReadable(colors.environmentText, colors.environmentBand, QStringLiteral("environment"));
        compareReadable(colors.warningText, colors.warningBand, QStringLiteral("warning"));
        compareReadable(palette.color(QPalette::Text), palette.color(QPalette::Base), QStringLiteral("text"));
        compareReadable(palette.color(QPalette::WindowText), palette.color(QPalette::Window), QStringLiteral("window"));
        compareReadable(palette.color(QPalette::ButtonText), palette.color(QPalette::Button), QStringLiteral("button"));
        compareReadable(
            palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight), QStringLiteral("selection"));
    }

    void everyStateHasItsOwnShapeAndWord()
    {
        QSet<int> shapes;
        QSet<QString> words;
        for (int i = 0; i < VisualCount; ++i) {
            shapes.insert(static_cast<int>(shapeOf(static_cast<Visual>(i))));
            words.insert(wordOf(static_cast<Visual>(i)));
        }
        QCOMPARE(shapes.size(), VisualCount);
        QCOMPARE(words.size(), VisualCount);
    }
};

QTEST_GUILESS_MAIN(PaletteTest)
#include "palette_test.moc"
