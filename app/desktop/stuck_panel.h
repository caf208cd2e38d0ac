// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/live_store.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace idem::app {

class ActionTable;
class KeyView;

/// The stuck keys, the longest first, and the way to free one.
class StuckPanel final : public QWidget
{
    Q_OBJECT

public:
    StuckPanel(LiveStore &live, QWidget *parent = nullptr);

    [[nodiscard]] KeyView &view() { return *m_view; }

Q_SIGNALS:
    /// The button was pressed with this record selected.
    void abandonRequested(const idem::RecordView &record);

private:
    void update();

    LiveStore &m_live;
    KeyView *m_view;
    QLabel *m_empty;
    QPushButton *m_abandon;
};

} // namespace idem::app
