#include "automation/connection.h"

#include "automation/hand.h"
#include "automation/widget_facts.h"
#include "automation/widget_finder.h"
#include "values/check.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>

#include <algorithm>

namespace payonce::automation {

namespace {

QJsonArray listOf(const QString& window)
{
    QJsonArray list;
    for (const auto* widget : namedWidgets(window))
        list.append(factsOf(*widget));
    return list;
}

bool isIdle(const QJsonObject& state)
{
    const auto pending = state.value(QLatin1String("pending")).toObject();
    for (const auto& count : pending)
        if (count.toInt() != 0)
            return false;
    return true;
}

Outcome<QJsonObject> nothingMore(const Outcome<void>& outcome)
{
    return outcome ? Outcome<QJsonObject>(QJsonObject()) : values::Failure(outcome.error());
}

} // namespace

Connection::Connection(QLocalSocket* socket, Screen& screen, QObject* parent)
    : QObject(parent), m_socket(socket), m_screen(screen)
{
    m_socket->setParent(this);
    m_socket->setReadBufferSize(kLongestLine + 1);
    connect(m_socket, &QLocalSocket::readyRead, this, &Connection::read);
    connect(m_socket, &QLocalSocket::disconnected, this, &Connection::ended);
    connect(&m_screen, &Screen::changed, this, &Connection::look);
}

// Lines are taken out before they are carried out: a deed may open a menu, which reads on.
void Connection::read()
{
    m_buffer += m_socket->readAll();
    while (const auto line = takeLine())
        carryOut(*line);
    if (m_buffer.size() <= kLongestLine)
        return;
    m_buffer.clear();
    refuse(QJsonValue::Null, {RefusalKind::BadRequest, QStringLiteral("a line of more than %1 bytes").arg(kLongestLine)});
    m_socket->disconnectFromServer();
}

std::optional<QByteArray> Connection::takeLine()
{
    const auto end = m_buffer.indexOf('\n');
    if (end < 0 || end > kLongestLine)
        return {};
    auto line = m_buffer.left(end).trimmed();
    m_buffer.remove(0, end + 1);
    return line;
}

void Connection::carryOut(const QByteArray& line)
{
    const auto command = parseCommand(line);
    if (command)
        carryOut(*command);
    else
        refuse(command.error().id, {RefusalKind::BadRequest, command.error().detail});
}

void Connection::carryOut(const Command& command)
{
    switch (command.verb) {
    case Verb::List: return answer(command, QJsonObject{{QStringLiteral("widgets"), listOf(command.window)}});
    case Verb::Get:
        return handle(command, [](QWidget& widget) -> Outcome<QJsonObject> {
            return QJsonObject{{QStringLiteral("widget"), factsOf(widget)}};
        });
    case Verb::Click: return handle(command, [](QWidget& widget) { return nothingMore(click(widget)); });
    case Verb::Type: return handle(command, [&](QWidget& widget) { return nothingMore(type(widget, command.text)); });
    case Verb::Grab: return handle(command, pictureOf);
    case Verb::WaitFor:
    case Verb::Idle: return wait(command);
    case Verb::State: {
        const auto state = m_screen.stateOf(command.window);
        if (!state)
            return answer(command, automation::refuse(RefusalKind::NotFound, QStringLiteral("there is no such window")));
        return answer(command, QJsonObject{{QStringLiteral("state"), *state}});
    }
    case Verb::Quit:
        answer(command, QJsonObject());
        m_socket->flush();
        Q_EMIT quitWanted();
        return;
    }
}

void Connection::handle(const Command& command, const std::function<Outcome<QJsonObject>(QWidget&)>& deed)
{
    const auto state = m_screen.stateOf(command.window);
    const auto name = command.name.isEmpty() && state ? state->value(QLatin1String("window")).toString() : command.name;
    const auto widget = findOne(name, command.window);
    answer(command, widget ? deed(**widget) : values::Failure(widget.error()));
}

void Connection::wait(const Command& command)
{
    if (isOver(command))
        return answer(command, QJsonObject{{QStringLiteral("state"), *m_screen.stateOf(command.window)}});
    if (m_waits.size() >= kMostWaits)
        return answer(command, automation::refuse(RefusalKind::BadRequest,
                                                  QStringLiteral("more than %1 commands that wait").arg(kMostWaits)));
    auto* timer = new QTimer(this);
    timer->setSingleShot(true);
    connect(timer, &QTimer::timeout, this, [this, timer] { expire(timer); });
    m_waits.push_back({command, timer});
    timer->start(command.timeout);
}

void Connection::look()
{
    std::vector<Wait> over;
    std::erase_if(m_waits, [&](const Wait& wait) {
        if (!isOver(wait.command))
            return false;
        over.push_back(wait);
        return true;
    });
    for (const auto& wait : over) {
        wait.timer->deleteLater();
        wait.timer->stop();
        answer(wait.command, QJsonObject{{QStringLiteral("state"), *m_screen.stateOf(wait.command.window)}});
    }
}

bool Connection::isOver(const Command& command) const
{
    const auto state = m_screen.stateOf(command.window);
    if (!state)
        return false;
    if (command.verb == Verb::Idle)
        return isIdle(*state);
    return state->value(QLatin1String("state")).toString() == command.state &&
           state->value(QLatin1String("revision")).toInteger() > command.after;
}

void Connection::expire(const QTimer* timer)
{
    const auto wait = std::find_if(m_waits.begin(), m_waits.end(), [&](const Wait& known) { return known.timer == timer; });
    CHECK(wait != m_waits.end());
    const auto command = wait->command;
    wait->timer->deleteLater();
    m_waits.erase(wait);
    const auto state = m_screen.stateOf(command.window).value_or(QJsonObject());
    answer(command, automation::refuse(RefusalKind::Timeout, QStringLiteral("the state is \"%1\", revision %2")
                                                                 .arg(state.value(QLatin1String("state")).toString())
                                                                 .arg(state.value(QLatin1String("revision")).toInteger())));
}

void Connection::answer(const Command& command, const Outcome<QJsonObject>& outcome)
{
    if (!outcome)
        return refuse(command.id, outcome.error());
    auto object = *outcome;
    object.insert(QLatin1String("id"), command.id);
    object.insert(QLatin1String("ok"), true);
    if (const auto state = m_screen.stateOf(command.window))
        object.insert(QLatin1String("revision"), state->value(QLatin1String("revision")));
    write(object);
}

void Connection::refuse(const QJsonValue& id, const Refusal& refusal)
{
    write({{QStringLiteral("id"), id},
           {QStringLiteral("ok"), false},
           {QStringLiteral("error"), nameOf(refusal.kind)},
           {QStringLiteral("detail"), refusal.detail}});
}

void Connection::write(const QJsonObject& object)
{
    if (m_socket->state() != QLocalSocket::ConnectedState)
        return;
    if (m_socket->bytesToWrite() > kMostUnread)
        return m_socket->abort();
    m_socket->write(QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n');
}

} // namespace payonce::automation
