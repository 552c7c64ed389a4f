// A scenario of a test, in the file that `--scenario` is given.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QFile>
#include <QtCore/QString>
#include <QtCore/QTemporaryDir>

namespace payonce::support {

/// The member `rules` with one rule, which fires once, at the first request of this kind. `action`: `{"rst":{}}`.
[[nodiscard]] inline QByteArray oneRule(const QByteArray& operation, const QByteArray& at, const QByteArray& action)
{
    return R"("rules":[{"id":"r1","match":{"op":")" + operation + R"(","nth":1},"at":")" + at + R"(","do":)" + action +
           R"(,"times":1}])";
}

/// Written into `dir`, the scenario with these members besides schema and name. Ends the program where that fails.
[[nodiscard]] inline QString scenarioFile(const QTemporaryDir& dir, const QByteArray& members)
{
    QFile file(dir.filePath(QStringLiteral("scenario.json")));
    const QByteArray text = R"({"schema":1,"name":"test",)" + members + '}';
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.flush())
        qFatal("%s: %s", qPrintable(file.fileName()), qPrintable(file.errorString()));
    return file.fileName();
}

} // namespace payonce::support
