#include "points/hits_file.h"

#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

namespace payonce::points {

HitsFile::HitsFile(QString path) : m_path(std::move(path))
{
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly))
        return;
    for (const auto& line : file.read(kLongest).split('\n')) {
        const auto id = QJsonDocument::fromJson(line).object().value(QLatin1String("id")).toString();
        if (!id.isEmpty())
            ++m_hits[id.toStdString()];
    }
}

int HitsFile::hitsOf(const std::string& rule) const
{
    const auto found = m_hits.find(rule);
    return found == m_hits.end() ? 0 : found->second;
}

bool HitsFile::add(const std::string& rule, int nth)
{
    const QJsonObject hit{{QStringLiteral("id"), QString::fromStdString(rule)}, {QStringLiteral("nth"), nth}};
    const auto line = QJsonDocument(hit).toJson(QJsonDocument::Compact) + '\n';
    QFile file(m_path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered) || file.write(line) != line.size())
        return false;
    ++m_hits[rule];
    return true;
}

} // namespace payonce::points
