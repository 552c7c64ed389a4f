#include "widgets/status_panel.h"

#include "widgets/object_names.h"
#include "widgets/parts.h"
#include "widgets/progress_line.h"

#include <QtGui/QClipboard>
#include <QtWidgets/QApplication>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace payonce::widgets {

namespace {

constexpr int kRowHeight = 26;
/// Title, two lines, assurance, steps and three rows: the card keeps its height where there is less to say.
constexpr int kLeastHeight = 256;

QLabel* named(QLabel* label, QLatin1String name)
{
    label->setObjectName(name);
    return label;
}

} // namespace

StatusPanel::StatusPanel(const Theme& theme, const viewmodels::CheckoutViewModel& viewModel, Animations animations,
                         QWidget* parent)
    : QWidget(parent),
      m_viewModel(viewModel),
      m_mark(new StateMark(theme, animations, this)),
      m_title(named(makeParagraph({}, TextRole::Title, Tone::Plain, this), names::kState)),
      m_sentence(named(makeParagraph({}, TextRole::Body, Tone::Plain, this), names::kDetail)),
      m_assurance(named(makeParagraph({}, TextRole::Strong, Tone::Plain, this), names::kAssurance)),
      m_progress(new ProgressLine(theme, this)),
      m_amount(makeRow(tr("Amount"), names::kAmount)),
      m_attempt(makeRow(tr("Attempt"), names::kAttempt)),
      m_order(makeRow(tr("Order"), names::kOrderNumber)),
      m_reference(makeRow(tr("Reference"), names::kReference)),
      m_copy(new CalmButton(Look::Link, names::kCopy, this))
{
    setObjectName(names::kStatus);
    setAccessibleName(tr("Payment status"));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumHeight(kLeastHeight);
    build();
    refresh();
}

StatusPanel::Row StatusPanel::makeRow(const QString& title, QLatin1String name)
{
    auto* box = new QWidget(this);
    box->setMinimumHeight(kRowHeight);
    auto* value = named(makeLabel({}, TextRole::Body, Tone::Plain, box), name);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    row->addWidget(makeLabel(title, TextRole::Body, Tone::Quiet, box));
    row->addStretch();
    row->addWidget(value);
    return {box, value};
}

void StatusPanel::build()
{
    auto* head = new QHBoxLayout;
    head->setSpacing(kGrid * 3 / 2);
    head->addWidget(m_mark, 0, Qt::AlignTop);
    head->addWidget(m_title, 1);
    m_copy->setWords(tr("Copy"));
    m_copy->setAccessibleName(tr("Copy the reference"));
    m_reference.box->layout()->addWidget(m_copy);
    connect(m_copy, &QPushButton::clicked, this, &StatusPanel::copyReference);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addSpacing(kGrid);
    column->addWidget(m_sentence);
    column->addSpacing(kGrid / 2);
    column->addWidget(m_assurance);
    column->addSpacing(kGrid * 2);
    column->addWidget(m_progress);
    column->addSpacing(kGrid * 3 / 2);
    column->addWidget(makeRule(this));
    column->addSpacing(kGrid);
    for (const Row& row : {m_amount, m_attempt, m_order, m_reference})
        column->addWidget(row.box);
    column->addStretch();
}

void StatusPanel::refresh()
{
    m_mark->setMood(m_viewModel.mood());
    m_title->setText(m_viewModel.title());
    m_sentence->setText(m_viewModel.sentence());
    m_assurance->setText(m_viewModel.assurance());
    m_assurance->setVisible(!m_viewModel.assurance().isEmpty());
    m_progress->setSteps(m_viewModel.steps());
    m_progress->setVisible(!m_viewModel.steps().empty());
    const auto show = [](const Row& row, const QString& text) {
        row.value->setText(text);
        row.box->setVisible(!text.isEmpty());
    };
    show(m_amount, m_viewModel.amountText());
    show(m_attempt, m_viewModel.attemptText());
    show(m_order, m_viewModel.orderNumber());
    show(m_reference, m_viewModel.reference());
}

void StatusPanel::copyReference()
{
    QApplication::clipboard()->setText(m_viewModel.reference());
    m_copy->sayBriefly(tr("Copied"));
}

} // namespace payonce::widgets
