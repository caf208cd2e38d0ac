// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/palette.h"

#include <QWidget>

class QLabel;

namespace idem::app {

/// A large number over its sign and word.
class CountTile final : public QWidget
{
    Q_OBJECT

public:
    CountTile(Visual visual, const QString &word, QWidget *parent = nullptr);
    void setValue(std::uint64_t value);

protected:
    void changeEvent(QEvent *event) override;

private:
    void recolor();

    Visual m_visual;
    QString m_word;
    QLabel *m_value;
    QLabel *m_sign;
    QLabel *m_text;
};

} // namespace idem::app
