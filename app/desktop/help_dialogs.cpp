// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/help_dialogs.h"

#include "app/desktop/action_table.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSysInfo>
#include <QTableWidget>
#include <QVBoxLayout>

namespace idem::app {

using namespace Qt::StringLiterals;

namespace {

QString withoutMnemonic(QString text)
{
    return text.remove(u'&').remove(u'…');
}

QString shortcutText(const QAction &action)
{
    QStringList keys;
    for (const QKeySequence &sequence : action.shortcuts()) {
        keys += sequence.toString(QKeySequence::NativeText);
    }
    return keys.join(u", "_s);
}

void addRow(QTableWidget &table, const QString &where, const QString &what, const QString &keys)
{
    const int row = table.rowCount();
    table.insertRow(row);
    int column = 0;
    for (const QString &text : {where, what, keys}) {
        auto *item = new QTableWidgetItem(text);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        table.setItem(row, column++, item);
    }
}

} // namespace

ShortcutDialog::ShortcutDialog(const ActionTable &actions, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Keyboard shortcuts"));
    auto *table = new QTableWidget(0, 3, this);
    table->setHorizontalHeaderLabels({tr("Where"), tr("What"), tr("Keys")});
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(24);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->setAccessibleName(windowTitle());
    for (const ActionTable::Entry &entry : actions.entries()) {
        if (!entry.action->shortcuts().isEmpty()) {
            addRow(*table, withoutMnemonic(entry.menu), withoutMnemonic(entry.action->text()),
                shortcutText(*entry.action));
        }
    }
    addRow(*table, tr("Plots"), tr("Follow the newest time again"), tr("Home"));
    addRow(*table, tr("Plots"), tr("Move through time"), tr("Left, Right, or drag"));
    addRow(*table, tr("Plots"), tr("Zoom in and out"), tr("+, −, or the wheel"));
    table->resizeColumnsToContents();
    table->horizontalHeader()->setStretchLastSection(true);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(table);
    layout->addWidget(buttons);
    resize(560, 560);
}

QString AboutDialog::versionInfo()
{
    return u"Idemscope %1\nQt %2 (built with %3)\n%4, %5, %6"_s.arg(QCoreApplication::applicationVersion(),
        QString::fromLatin1(qVersion()), QString::fromLatin1(QT_VERSION_STR), QSysInfo::prettyProductName(),
        QSysInfo::currentCpuArchitecture(), QGuiApplication::platformName());
}

AboutDialog::AboutDialog(QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("About Idemscope"));
    auto *title = new QLabel(u"Idemscope"_s, this);
    QFont font = title->font();
    font.setPointSizeF(font.pointSizeF() * 1.8);
    font.setBold(true);
    title->setFont(font);
    auto *text = new QLabel(this);
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text->setText(
        tr("Shows what an idempotency-key store does while it does it: which attempt runs, which one waits, "
           "which one gets the first answer again, and which key is stuck.\n\n"
           "This program is free software under the GNU General Public License, version 3 or later, and comes "
           "without any warranty. The store and the simulator in it may also be used under the Apache "
           "License 2.0.\n\n"
           "It uses Qt (GNU Lesser General Public License 3), QCustomPlot (GNU General Public License 3 or "
           "later), tl::expected (CC0 1.0) and Valijson (BSD 2-clause). Colours: Okabe and Ito, "
           "Color Universal Design."));
    auto *version = new QLabel(versionInfo(), this);
    version->setTextFormat(Qt::PlainText);
    version->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton *copy = buttons->addButton(tr("&Copy version info"), QDialogButtonBox::ActionRole);
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [] { QGuiApplication::clipboard()->setText(versionInfo()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 14);
    layout->setSpacing(12);
    layout->addWidget(title);
    layout->addWidget(text);
    layout->addWidget(version);
    layout->addWidget(buttons);
    setMinimumWidth(520);
}

} // namespace idem::app
