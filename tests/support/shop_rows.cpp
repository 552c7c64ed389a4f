#include "support/shop_rows.h"

#include "support/sqlite_file.h"

#include <algorithm>

namespace payonce::support {

namespace {

constexpr const char* kUnreadable = "unreadable";

QList<QByteArray> firstColumn(const QString& file, const QString& sql)
{
    const auto rows = readRows(file, sql);
    if (!rows)
        return {kUnreadable};
    QList<QByteArray> values;
    for (const QVariantList& row : *rows)
        values.append(row.first().toByteArray());
    return values;
}

} // namespace

QList<QByteArray> accountsIn(const QString& shopFile)
{
    return firstColumn(shopFile, QStringLiteral("SELECT email FROM accounts ORDER BY email"));
}

QList<QByteArray> mailsAskedForIn(const QString& shopFile)
{
    return firstColumn(shopFile, QStringLiteral("SELECT kind || ' ' || recipient FROM outbox ORDER BY kind DESC, recipient"));
}

int mailsOfKindIn(const QString& shopFile, const QByteArray& kind)
{
    const auto mails = mailsAskedForIn(shopFile);
    if (mails == QList<QByteArray>{kUnreadable})
        return -1;
    return static_cast<int>(
        std::count_if(mails.begin(), mails.end(), [&kind](const QByteArray& mail) { return mail.startsWith(kind + ' '); }));
}

} // namespace payonce::support
