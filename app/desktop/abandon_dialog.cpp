// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/abandon_dialog.h"

#include "app/desktop/theme.h"
#include "app/models/duration_text.h"
#include "app/models/record_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace idem::app {

namespace {

QLabel *plainLabel(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText); // keys and owners are a client's text
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

void colorBand(QLabel &label, const QColor &band, const QColor &text)
{
    QPalette palette = label.palette();
    palette.setColor(QPalette::Window, band);
    palette.setColor(QPalette::WindowText, text);
    label.setPalette(palette);
    label.setAutoFillBackground(true);
    label.setMargin(8);
}

QString stateSentence(const AbandonPreview &preview)
{
    const QString age = durationText(preview.age);
    if (preview.state == State::LeaseExpired) {
        const QString over = durationText(-preview.leaseLeft.value_or(Duration::zero()));
        return AbandonDialog::tr("stuck: begun %1 ago, its lease ended %2 ago").arg(age, over);
    }
    if (preview.state != State::InProgress) {
        return stateWord(preview.state);
    }
    if (!preview.leaseLeft) {
        return AbandonDialog::tr("in progress for %1, without a lease").arg(age);
    }
    return AbandonDialog::tr("in progress for %1, its lease runs for another %2")
        .arg(age, durationText(*preview.leaseLeft));
}

} // namespace

AbandonDialog::AbandonDialog(Store &store, const RecordView &record, QWidget *parent)
    : QDialog(parent)
    , m_store(store)
    , m_preview(abandonPreview(record, store.clock().now()))
    , m_title(plainLabel(this))
    , m_owner(plainLabel(this))
    , m_state(plainLabel(this))
    , m_renewal(plainLabel(this))
    , m_waiting(plainLabel(this))
    , m_effect(plainLabel(this))
    , m_warning(plainLabel(this))
    , m_refusal(plainLabel(this))
    , m_as(new QComboBox(this))
    , m_reason(new QPlainTextEdit(this))
    , m_override(new QCheckBox(tr("Abandon it although its owner is alive"), this))
    , m_problem(plainLabel(this))
{
    setWindowTitle(tr("Abandon key"));
    setModal(true);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    QFont font = m_title->font();
    font.setPointSizeF(font.pointSizeF() * 1.3);
    font.setBold(true);
    m_title->setFont(font);
    layout->addWidget(m_title);
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(14);
    makeFacts(*form);
    layout->addLayout(form);
    layout->addWidget(m_warning);
    layout->addWidget(m_refusal);
    auto *choices = new QFormLayout;
    choices->setHorizontalSpacing(14);
    makeChoices(*choices);
    layout->addLayout(choices);
    layout->addWidget(m_override);
    layout->addWidget(m_problem);

    auto *buttons = new QDialogButtonBox(this);
    QPushButton *cancel = buttons->addButton(QDialogButtonBox::Cancel);
    m_abandon = buttons->addButton(tr("Abandon key"), QDialogButtonBox::ActionRole);
    m_abandon->setObjectName(QStringLiteral("abandonButton"));
    m_abandon->setAutoDefault(false);
    cancel->setDefault(true);
    layout->addWidget(buttons);

    const ThemeColors &colors = themeColors(currentTheme());
    colorBand(*m_warning, colors.warningBand, colors.warningText);
    colorBand(*m_refusal, colors.stuckBand, textColor(Visual::Stuck, currentTheme()));
    m_refusal->setObjectName(QStringLiteral("refusal"));
    m_refusal->hide();
    m_override->hide();
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_abandon, &QPushButton::clicked, this, &AbandonDialog::submit);
    connect(m_reason, &QPlainTextEdit::textChanged, this, &AbandonDialog::check);
    connect(m_override, &QCheckBox::toggled, this, &AbandonDialog::check);
    connect(m_as, &QComboBox::currentIndexChanged, this, &AbandonDialog::showWarning);
    connect(&m_refresh, &QTimer::timeout, this, &AbandonDialog::refreshFacts);
    m_refresh.start(std::chrono::milliseconds(500));
    showFacts();
    check();
    m_reason->setFocus();
    setMinimumWidth(500);
}

void AbandonDialog::makeFacts(QFormLayout &form)
{
    form.addRow(tr("Owner"), m_owner);
    form.addRow(tr("State"), m_state);
    form.addRow(tr("Last renewal"), m_renewal);
    form.addRow(tr("Attempts waiting"), m_waiting);
    form.addRow(tr("Side effect"), m_effect);
}

void AbandonDialog::makeChoices(QFormLayout &form)
{
    m_as->addItem(tr("The next attempt runs afresh"), static_cast<int>(AbandonAs::Release));
    m_as->addItem(tr("The operation has failed: retries get an error"), static_cast<int>(AbandonAs::Failed));
    m_as->addItem(tr("Nobody may run it until it is settled"), static_cast<int>(AbandonAs::Unknown));
    m_as->setAccessibleName(tr("What happens to the key afterwards"));
    m_reason->setObjectName(QStringLiteral("reason"));
    m_reason->setTabChangesFocus(true);
    m_reason->setFixedHeight(m_reason->fontMetrics().lineSpacing() * 2 + 16);
    m_reason->setPlaceholderText(tr("Why is its owner not coming back?"));
    m_reason->setAccessibleName(tr("Reason, required"));
    form.addRow(tr("After&wards"), m_as);
    form.addRow(tr("&Reason"), m_reason);
}

void AbandonDialog::refreshFacts()
{
    // Another owner's facts are not taken in: the request stays bound to what was looked at, and the store refuses it.
    const std::optional<RecordView> now = m_store.find(m_preview.identity);
    if (now && now->fence == m_preview.fence) {
        m_preview = abandonPreview(*now, m_store.clock().now());
        showFacts();
        check();
    }
}

void AbandonDialog::showFacts()
{
    const AbandonPreview &p = m_preview;
    m_title->setText(tr("Abandon key %1?").arg(p.key));
    m_owner->setText(tr("%1, tenant %2, attempt %3, fence %4")
                         .arg(p.owner.isEmpty() ? tr("unnamed") : p.owner, p.tenant.isEmpty() ? tr("none") : p.tenant)
                         .arg(p.attempt)
                         .arg(toNumber(p.fence)));
    m_state->setText(stateSentence(p));
    m_renewal->setText(p.sinceRenewal ? tr("%1 ago").arg(durationText(*p.sinceRenewal)) : tr("never"));
    m_waiting->setText(QString::number(p.waiting));
    m_effect->setText(p.sideEffect ? tr("announced: it may have happened already") : tr("none announced"));
    showWarning();
}

void AbandonDialog::showWarning()
{
    QStringList warnings;
    if (m_preview.ownerAlive) {
        warnings +=
            tr("The owner may still be at work: its lease is running. Its late result will be refused, but what "
               "it does meanwhile cannot be undone.");
    }
    if (m_preview.sideEffect && chosen() == AbandonAs::Release) {
        warnings += tr("The side effect may have happened. If the next attempt runs afresh, it may happen twice.");
    }
    m_warning->setText(warnings.join(QStringLiteral("\n\n")));
    m_warning->setVisible(!warnings.isEmpty());
}

AbandonAs AbandonDialog::chosen() const
{
    return static_cast<AbandonAs>(m_as->currentData().toInt());
}

void AbandonDialog::check()
{
    QString problem = m_preview.refusal;
    if (problem.isEmpty()) {
        problem = reasonProblem(m_reason->toPlainText());
    }
    if (problem.isEmpty() && !m_override->isHidden() && !m_override->isChecked()) {
        problem = tr("Say that you want to abandon it although its owner is alive, or cancel.");
    }
    m_abandon->setEnabled(problem.isEmpty());
    m_abandon->setToolTip(problem);
    m_problem->setText(problem);
}

void AbandonDialog::submit()
{
    const AbandonRequest request {.expectedFence = m_preview.fence,
        .reason = m_reason->toPlainText().trimmed(),
        .as = chosen(),
        .overrideLive = m_override->isChecked()};
    const Result<RecordView> result = m_store.abandon(m_preview.identity, request);
    if (!result) {
        explainRefusal(result.error());
        return;
    }
    Q_EMIT abandoned(*result);
    accept();
}

void AbandonDialog::explainRefusal(const StoreError &error)
{
    const std::optional<RecordView> now = m_store.find(m_preview.identity);
    m_refusal->setText(describeRefusal(m_preview, error, now));
    m_refusal->show();
    if (now) {
        m_preview = abandonPreview(*now, m_store.clock().now());
    } else {
        m_preview.refusal = tr("There is nothing left to abandon.");
    }
    m_override->setVisible(error.code == StoreErrorCode::LiveOwner);
    m_override->setChecked(false);
    showFacts();
    check();
    adjustSize();
}

} // namespace idem::app
