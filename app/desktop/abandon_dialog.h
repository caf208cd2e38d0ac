// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/abandon_preview.h"

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace idem::app {

/// Takes a key from its owner: shows who holds it and what that means, wants a reason, and is bound to the fence that
/// it shows. Works on any store; it must outlive the dialog.
class AbandonDialog final : public QDialog
{
    Q_OBJECT

public:
    AbandonDialog(Store &store, const RecordView &record, QWidget *parent = nullptr);

Q_SIGNALS:
    /// The store did it.
    void abandoned(const idem::RecordView &record);

private:
    void makeFacts(QFormLayout &form);
    void makeChoices(QFormLayout &form);
    void refreshFacts();
    void showFacts();
    void showWarning();
    void check();
    void submit();
    void explainRefusal(const StoreError &error);
    [[nodiscard]] AbandonAs chosen() const;

    Store &m_store;
    AbandonPreview m_preview;
    QLabel *m_title;
    QLabel *m_owner;
    QLabel *m_state;
    QLabel *m_renewal;
    QLabel *m_waiting;
    QLabel *m_effect;
    QLabel *m_warning;
    QLabel *m_refusal;
    QComboBox *m_as;
    QPlainTextEdit *m_reason;
    QCheckBox *m_override;
    QLabel *m_problem;
    QPushButton *m_abandon;
    QTimer m_refresh;
};

} // namespace idem::app
