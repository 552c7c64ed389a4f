#include "storage/postgres_sql.h"

#include <QtCore/QRegularExpression>

namespace payonce::storage {

QString postgresDefinition(const QString& statement)
{
    static const QRegularExpression kTable(QStringLiteral(R"(^\s*(CREATE|ALTER) TABLE\b)"));
    static const QRegularExpression kInteger(QStringLiteral(R"(\bINTEGER\b)"));
    static const QRegularExpression kBytes(QStringLiteral(R"(\bBLOB\b)"));
    static const QRegularExpression kText(QStringLiteral(R"(\bTEXT\b)"));
    static const QRegularExpression kEnd(QStringLiteral(R"(\)\s*STRICT\s*;?\s*$)"));
    static const QRegularExpression kEndWithoutRowid(QStringLiteral(R"(\)\s*STRICT\s*,\s*WITHOUT\s+ROWID\s*;?\s*$)"));
    if (!kTable.match(statement).hasMatch())
        return statement;
    QString said = statement;
    said.replace(kInteger, QStringLiteral("BIGINT"));
    said.replace(kBytes, QStringLiteral("BYTEA"));
    said.replace(kText, QStringLiteral("TEXT COLLATE \"C\""));
    said.replace(kEndWithoutRowid, QStringLiteral(")"));
    said.replace(kEnd, QStringLiteral(", rowid BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY)"));
    return said;
}

QString postgresStatement(const QString& statement)
{
    static const QRegularExpression kIndexedBy(QStringLiteral(R"( INDEXED BY \w+)"));
    QString without = statement;
    without.remove(kIndexedBy);
    QString said;
    int places = 0;
    for (const QChar one : without) {
        if (one == QLatin1Char('?'))
            said += QLatin1Char('$') + QString::number(++places);
        else
            said += one;
    }
    return said;
}

} // namespace payonce::storage
