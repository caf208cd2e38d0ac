// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/expiry_pane.h"
#include "app/plot/live_plots.h"
#include "app/plot/time_pane.h"

#include <QImage>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

using namespace idem::app;

namespace {

const QColor fresh(0x56, 0xb4, 0xe9);
const QColor completed(0x00, 0x9e, 0x73);

/// Plots of one outcome and one state over a minute, 10 a second and 100 keys.
struct Bench
{
    LivePlots plots;

    explicit Bench(const QSize &size)
    {
        plots.setOutcomes({{.name = QStringLiteral("Fresh"), .color = fresh}});
        plots.setStates({{.name = QStringLiteral("Completed"), .color = completed}});
        plots.setColors({.background = Qt::white, .text = Qt::black, .grid = Qt::gray});
        for (int second = 0; second <= 60; ++second) {
            plots.append(second, {10}, {100});
        }
        plots.setForecast(2, QList<double>(30, 5));
        plots.resize(size);
        plots.show();
    }

    /// How many pixels of the picture have this colour (or, of an area, this hue over white).
    int pixels(const QColor &color, int slack)
    {
        plots.drawNow();
        const QImage image = plots.grab().toImage().convertToFormat(QImage::Format_RGB32);
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                count += qAbs(pixel.red() - color.red()) <= slack && qAbs(pixel.green() - color.green()) <= slack
                    && qAbs(pixel.blue() - color.blue()) <= slack;
            }
        }
        return count;
    }
};

} // namespace

class LivePlotsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void followsUntilTheUserMoves()
    {
        Bench bench(QSize(700, 600));
        auto *back = bench.plots.findChild<QPushButton *>();
        QVERIFY(bench.plots.isFollowing());
        QVERIFY(!back->isVisible());
        QTest::keyClick(&bench.plots, Qt::Key_Plus);
        QVERIFY(!bench.plots.isFollowing());
        QVERIFY(back->isVisible());
        QTest::keyClick(&bench.plots, Qt::Key_Home);
        QVERIFY(bench.plots.isFollowing());
        QTest::keyClick(&bench.plots, Qt::Key_Left);
        QVERIFY(!bench.plots.isFollowing());
        QTest::mouseClick(back, Qt::LeftButton);
        QVERIFY(bench.plots.isFollowing());
        QVERIFY(!back->isVisible());
    }

    void hidesALineByItsLegend()
    {
        Bench bench(QSize(700, 600));
        const int line = bench.pixels(fresh, 8);
        QVERIFY(line > 500); // a line of some 600 pixels, and its swatch
        for (auto *button : bench.plots.findChildren<QToolButton *>()) {
            if (button->text() == QStringLiteral("Fresh")) {
                button->click();
            }
        }
        QVERIFY(bench.pixels(fresh, 8) < 100); // the swatch's rim is left
    }

    void fillsTheStackedArea()
    {
        Bench bench(QSize(700, 600));
        // Three quarters of the colour over white, and over at least half of the pane of some 620 x 140.
        const auto overWhite = [](int channel) { return (channel * 3 + 255) / 4; };
        const QColor blended(overWhite(completed.red()), overWhite(completed.green()), overWhite(completed.blue()));
        QVERIFY(bench.pixels(blended, 12) > 620 * 140 / 2);
    }

    void putsTheExpiryBesideWhenThereIsNoRoomBelow()
    {
        const Bench tall(QSize(700, 600));
        const Bench flat(QSize(700, 300));
        QVERIFY(tall.plots.findChild<ExpiryPane *>()->y() > tall.plots.findChildren<TimePane *>().last()->y());
        QVERIFY(flat.plots.findChild<ExpiryPane *>()->x() > flat.plots.findChildren<TimePane *>().last()->x());
    }

    void startsAfresh()
    {
        Bench bench(QSize(700, 600));
        bench.plots.clear();
        QVERIFY(bench.pixels(fresh, 8) < 200); // the swatch
        bench.plots.append(0, {0}, {0});
        bench.plots.append(1, {5}, {1});
        QVERIFY(bench.plots.isFollowing());
    }
};

QTEST_MAIN(LivePlotsTest)
#include "live_plots_test.moc"
