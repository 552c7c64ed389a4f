#include "support/bank_rows.h"

#include "support/sqlite_file.h"

#include <QtCore/QDir>

namespace payonce::support {

namespace {

constexpr QLatin1String kApproved("approved");

} // namespace

std::optional<QList<BankRow>> readBank(const QString& dataDir)
{
    const auto rows = readRows(QDir(dataDir).filePath(QStringLiteral("bank.sqlite")),
                               QStringLiteral("SELECT state, action_id, amount, currency FROM charges"));
    if (!rows)
        return {};
    QList<BankRow> result;
    for (const QVariantList& row : *rows)
        result.append({row.at(0).toString(), row.at(1).toString(), row.at(2).toLongLong(), row.at(3).toString()});
    return result;
}

int chargesIn(const QString& dataDir)
{
    return readBank(dataDir) ? static_cast<int>(amountsCharged(dataDir).size()) : -1;
}

QList<QByteArray> amountsCharged(const QString& dataDir)
{
    QList<QByteArray> amounts;
    for (const auto& row : readBank(dataDir).value_or(QList<BankRow>()))
        if (row.state == kApproved)
            amounts.append(QByteArray::number(row.amount) + ' ' + row.currency.toLatin1());
    return amounts;
}

QSet<QString> actionsIn(const QString& dataDir)
{
    QSet<QString> actions;
    for (const auto& row : readBank(dataDir).value_or(QList<BankRow>()))
        if (!row.actionId.isEmpty())
            actions.insert(row.actionId);
    return actions;
}

} // namespace payonce::support
