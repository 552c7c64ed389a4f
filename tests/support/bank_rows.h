// Counts what the bank really did, in its own database file: the ledger decides, not HTTP statuses.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QSet>
#include <QtCore/QString>

#include <optional>

namespace payonce::support {

/// One approved or declined row of `DATA_DIR/bank.sqlite`.
struct BankRow
{
    QString state;    ///< `approved`, `declined`, `fenced`
    QString actionId; ///< empty of a fence
    qint64 amount = 0;
    QString currency;
};

/// Every row, read on a connection of its own that cannot write. Empty: the file cannot be read.
[[nodiscard]] std::optional<QList<BankRow>> readBank(const QString& dataDir);

/// Approved rows; -1 if the bank cannot be read, so that no comparison with a count can hold by accident.
[[nodiscard]] int chargesIn(const QString& dataDir);
/// The amounts of the approved rows, as `4200 EUR`.
[[nodiscard]] QList<QByteArray> amountsCharged(const QString& dataDir);
/// The actions that have any row, approved or not.
[[nodiscard]] QSet<QString> actionsIn(const QString& dataDir);

} // namespace payonce::support
