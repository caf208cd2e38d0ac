// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/live_store.h"

#include <QWidget>

class QTableView;

namespace idem::app {

/// The store's events, newest first.
class EventsPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit EventsPanel(LiveStore &live, QWidget *parent = nullptr);

    [[nodiscard]] QTableView &view() { return *m_view; }

private:
    QTableView *m_view;
};

} // namespace idem::app
