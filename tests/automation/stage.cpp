#include "automation/stage.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtWidgets/QVBoxLayout>

namespace payonce::support {

Stage::Stage(automation::AutomationServer& server) : m_server(server)
{
    setObjectName(QStringLiteral("stage"));
    resize(400, 300);
    auto* column = new QVBoxLayout(this);
    column->setSizeConstraint(QLayout::SetNoConstraint); // the offscreen platform cannot tell a window its least size
    column->addWidget(&button);
    column->addWidget(&edit);
    button.setObjectName(QStringLiteral("stage.button"));
    edit.setObjectName(QStringLiteral("stage.edit"));
    show();
    m_server.screen().add(*this, [this] { return stateJson(); });
}

void Stage::setState(const QString& state)
{
    m_state = state;
    ++m_revision;
    Q_EMIT m_server.screen().changed();
}

void Stage::setPending(int network)
{
    m_network = network;
    setState(m_state);
}

QString Stage::stateJson() const
{
    const QJsonObject state{{QStringLiteral("window"), objectName()},
                            {QStringLiteral("state"), m_state},
                            {QStringLiteral("revision"), m_revision},
                            {QStringLiteral("pending"), QJsonObject{{QStringLiteral("network"), m_network}}}};
    return QString::fromUtf8(QJsonDocument(state).toJson(QJsonDocument::Compact));
}

} // namespace payonce::support
