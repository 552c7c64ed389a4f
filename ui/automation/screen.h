// Screen: the windows that tell their state to machines.
#pragma once

#include <QtCore/QJsonObject>
#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtWidgets/QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace payonce::automation {

class Screen : public QObject
{
    Q_OBJECT

public:
    /// Another application has fewer.
    static constexpr std::size_t kMostWindows = 64;

    /// `stateJson` is asked while the window lives.
    void add(QWidget& window, std::function<QString()> stateJson);
    /// The state of the window of this object name; of the first that lives, if the name is empty. None: there is no such
    /// window.
    [[nodiscard]] std::optional<QJsonObject> stateOf(const QString& window) const;

Q_SIGNALS:
    /// A window came, or says that its state is another now.
    void changed();

private:
    struct Window
    {
        QPointer<QWidget> widget;
        std::function<QString()> stateJson;
    };

    std::vector<Window> m_windows;
};

} // namespace payonce::automation
