#include "widgets/parts.h"

#include "widgets/paragraph.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QApplication>

namespace payonce::widgets {

namespace {

constexpr std::chrono::milliseconds kBriefly(1500);

QString nameOf(Look look)
{
    switch (look) {
    case Look::Primary: return QStringLiteral("primary");
    case Look::Second: return QStringLiteral("second");
    case Look::Link: return QStringLiteral("link");
    }
    return {};
}

QString nameOf(Tone tone)
{
    switch (tone) {
    case Tone::Plain: return QStringLiteral("plain");
    case Tone::Quiet: return QStringLiteral("quiet");
    case Tone::Wrong: return QStringLiteral("wrong");
    }
    return {};
}

} // namespace

QLabel* makeLabel(const QString& text, TextRole role, Tone tone, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setFont(fontFor(role));
    label->setProperty("tone", nameOf(tone));
    return label;
}

QLabel* makeParagraph(const QString& text, TextRole role, Tone tone, QWidget* parent)
{
    auto* label = new Paragraph(text, role, parent);
    label->setProperty("tone", nameOf(tone));
    return label;
}

QFrame* makeRule(QWidget* parent)
{
    return makeFrame("rule", parent);
}

QFrame* makeFrame(const char* part, QWidget* parent)
{
    auto* frame = new QFrame(parent);
    frame->setProperty("part", QString::fromLatin1(part));
    return frame;
}

CalmButton::CalmButton(Look look, QLatin1String name, QWidget* parent) : QPushButton(parent), m_look(look)
{
    setObjectName(name);
    setProperty("look", nameOf(look));
    setFont(fontFor(look == Look::Link ? TextRole::Body : TextRole::Strong));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    m_briefly.setSingleShot(true);
    m_briefly.setInterval(kBriefly);
    connect(&m_briefly, &QTimer::timeout, this, [this] {
        showWords();
        setAccessibleName(m_name);
    });
}

void CalmButton::setWords(const QString& words, Mnemonic mnemonic)
{
    if (words == m_words && mnemonic == m_mnemonic)
        return;
    m_sinceWords.start();
    m_words = words;
    m_mnemonic = mnemonic;
    m_briefly.stop();
    showWords();
    setAccessibleName(words);
}

void CalmButton::sayBriefly(const QString& words)
{
    if (!m_briefly.isActive())
        m_name = accessibleName();
    setText(words);
    setAccessibleName(words);
    m_briefly.start();
}

void CalmButton::showWords()
{
    // An ampersand would hide itself and make the letter behind it a key.
    QString text = m_words;
    text.replace(QLatin1Char('&'), QStringLiteral("&&"));
    setText(m_mnemonic == Mnemonic::First && !text.isEmpty() ? QLatin1Char('&') + text : text);
}

void CalmButton::paintEvent(QPaintEvent* event)
{
    QPushButton::paintEvent(event);
    if (m_look != Look::Primary || !hasFocus())
        return;
    // The focus ring lies inside the button, in the colour of its text.
    constexpr qreal kInset = 3.5;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(window()->palette().color(QPalette::HighlightedText), 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(kInset, kInset, -kInset, -kInset), kFieldRadius - kInset,
                            kFieldRadius - kInset);
}

void CalmButton::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if ((isEnter || event->key() == Qt::Key_Space) && saysSomethingNew()) {
        event->accept();
        return;
    }
    if (!isEnter) {
        QPushButton::keyPressEvent(event);
        return;
    }
    event->accept();
    if (!event->isAutoRepeat())
        click();
}

bool CalmButton::saysSomethingNew() const
{
    return m_sinceWords.isValid() && m_sinceWords.elapsed() < QApplication::doubleClickInterval();
}

void CalmButton::mouseDoubleClickEvent(QMouseEvent* event)
{
    event->accept();
}

} // namespace payonce::widgets
