// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/screenshot.h"

#include "app/desktop/abandon_dialog.h"
#include "app/desktop/central_view.h"
#include "app/desktop/key_view.h"
#include "app/desktop/main_window.h"
#include "app/desktop/stuck_panel.h"
#include "app/plot/live_plots.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QPlainTextEdit>

namespace idem::app {

using namespace Qt::StringLiterals;

namespace {

struct Screenshot
{
    Q_DECLARE_TR_FUNCTIONS(idem::app::Screenshot)
};

constexpr Duration sampleStep = std::chrono::milliseconds(200);

/// A layout may ask for another one: a few turns of the event loop, not one.
void settle()
{
    for (int turn = 0; turn < 5; ++turn) {
        QCoreApplication::processEvents();
    }
}

void playFor(MainWindow &window, Duration span)
{
    for (Duration done {}; done < span; done += sampleStep) {
        window.simulation().advance(std::min(sampleStep, span - done));
        window.live().events().refresh();
        window.live().sample();
    }
    window.refresh();
}

/// The record that an operator would look at: a stuck one, else the newest one in progress.
std::optional<RecordView> recordToAbandon(LiveStore &live)
{
    for (KeyTableModel *model : {&live.stuck(), &live.keys()}) {
        for (int row = 0; row < model->rowCount(); ++row) {
            const State state = model->recordAt(row).state;
            if (state == State::LeaseExpired || state == State::InProgress) {
                return model->recordAt(row);
            }
        }
    }
    return {};
}

tl::expected<QDialog *, QString> prepare(MainWindow &window, const QString &view)
{
    if (view == u"keys") {
        window.central().show(CentralView::Page::Keys);
    } else if (view == u"plots") {
        window.central().show(CentralView::Page::Plots);
    } else if (view == u"stuck" || view == u"events") {
        window.raiseDock(view);
    } else if (view == u"about") {
        return window.openAbout();
    } else if (view == u"shortcuts") {
        return window.openShortcuts();
    } else if (view == u"abandon") {
        const auto record = recordToAbandon(window.live());
        if (!record) {
            return tl::unexpected(Screenshot::tr("At that time there is no key that could be abandoned."));
        }
        return window.openAbandon(*record);
    }
    return nullptr;
}

/// The window with the dialog over it, as a screen would show them.
QImage paint(MainWindow &window, QDialog *dialog)
{
    QImage image = window.grab().toImage().convertToFormat(QImage::Format_RGB32);
    if (dialog != nullptr) {
        const QImage above = dialog->grab().toImage();
        const QPoint at((image.width() - above.width()) / 2, (image.height() - above.height()) / 2);
        QPainter painter(&image);
        painter.fillRect(image.rect(), QColor(0, 0, 0, 110));
        painter.drawImage(at, above);
        painter.setPen(themeColors(currentTheme()).border);
        painter.drawRect(QRect(at, above.size()).adjusted(-1, -1, 0, 0));
    }
    return image;
}

} // namespace

tl::expected<void, QString> takeScreenshot(MainWindow &window, const Options &options)
{
    window.resize(options.size);
    window.show();
    settle();
    playFor(window, options.after);
    const auto dialog = prepare(window, options.view);
    if (!dialog) {
        return tl::unexpected(dialog.error());
    }
    settle();
    window.central().plots().drawNow();
    if (!paint(window, *dialog).save(options.screenshot, "PNG")) {
        return tl::unexpected(Screenshot::tr("The picture could not be written to %1.").arg(options.screenshot));
    }
    return {};
}

} // namespace idem::app
