// Stage: a window for tests of the automation socket, with a state of its own.
#pragma once

#include "automation/automation_server.h"

#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

namespace payonce::support {

/// `stage`, with `stage.button` and `stage.edit`. It announces itself to the server's screen.
class Stage : public QWidget
{
    Q_OBJECT

public:
    explicit Stage(automation::AutomationServer& server);

    void setState(const QString& state);
    void setPending(int network);
    [[nodiscard]] int revision() const { return m_revision; }

    QPushButton button{QStringLiteral("Press me")};
    QLineEdit edit;

private:
    [[nodiscard]] QString stateJson() const;

    automation::AutomationServer& m_server;
    QString m_state = QStringLiteral("Editing");
    int m_revision = 1;
    int m_network = 0;
};

} // namespace payonce::support
