#include "widgets/text_field.h"

#include "widgets/parts.h"

#include <QtCore/QEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace payonce::widgets {

namespace {

constexpr int kLabelGap = 8;
constexpr int kTextInset = 12;

} // namespace

class TextField::Frame : public QWidget
{
public:
    Frame(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme), m_row(new QHBoxLayout(this))
    {
        setFixedHeight(kFieldHeight);
        m_row->setContentsMargins(kTextInset, 0, kTextInset, 0);
        m_row->setSpacing(kGrid);
    }

    [[nodiscard]] QHBoxLayout& row() { return *m_row; }

    void setLook(bool focused, bool wrong)
    {
        m_focused = focused;
        m_wrong = wrong;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Tokens& tokens = m_theme.tokens();
        const qreal width = m_focused ? 2 : 1;
        const QColor plain = m_focused ? tokens.accent : tokens.line;
        painter.setPen(QPen(m_wrong ? tokens.bad : plain, width));
        painter.setBrush(tokens.surface);
        const qreal inset = width / 2;
        painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), kFieldRadius, kFieldRadius);
    }

private:
    const Theme& m_theme;
    QHBoxLayout* m_row;
    bool m_focused = false;
    bool m_wrong = false;
};

TextField::TextField(const Theme& theme, const QString& label, QLatin1String name, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_problem(makeLabel({}, TextRole::Small, Tone::Wrong, this)),
      m_frame(new Frame(theme, this)),
      m_edit(new QLineEdit(m_frame))
{
    auto* title = makeLabel(label, TextRole::Small, Tone::Plain, this);
    QFont medium = title->font();
    medium.setWeight(QFont::Medium);
    title->setFont(medium);
    title->setBuddy(m_edit);
    m_edit->setObjectName(name);
    m_edit->setAccessibleName(label);
    m_edit->setFrame(false);
    m_edit->setFont(fontFor(TextRole::Body));
    m_edit->installEventFilter(this);
    m_frame->row().addWidget(m_edit);

    auto* head = new QHBoxLayout;
    head->addWidget(title);
    head->addStretch();
    head->addWidget(m_problem);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kLabelGap);
    column->addLayout(head);
    column->addWidget(m_frame);
    connect(&theme, &Theme::changed, this, [this] { dress(); });
    dress();
}

void TextField::addTrailing(QWidget* widget)
{
    widget->setParent(m_frame);
    m_frame->row().addWidget(widget);
}

void TextField::setProblem(const QString& problem)
{
    m_problem->setText(problem);
    m_edit->setAccessibleDescription(problem);
    dress();
}

bool TextField::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_edit && (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut))
        dress();
    return QWidget::eventFilter(watched, event);
}

void TextField::dress()
{
    m_frame->setLook(m_edit->hasFocus(), !m_problem->text().isEmpty());
}

} // namespace payonce::widgets
