// The least that three durable steps of a payment can cost: claim, bank row, result, as plain SQL on the server's own two
// files, 32 payments a commit, and nothing of ours around it.
#pragma once

#include "bench/figures.h"

#include <QtCore/QString>
#include <QtSql/QSqlDatabase>

namespace payonce::bench {

inline constexpr int kGroup = 32;

class BareLedger
{
public:
    /// `directory`: a data directory whose server has ended.
    explicit BareLedger(const QString& directory);
    BareLedger(const BareLedger&) = delete;
    BareLedger& operator=(const BareLedger&) = delete;
    BareLedger(BareLedger&&) = delete;
    BareLedger& operator=(BareLedger&&) = delete;
    ~BareLedger();

    /// `payments` (a multiple of kGroup), each with its three steps; says how long all of them took.
    [[nodiscard]] Microseconds run(int payments);

private:
    void claimGroup(const QStringList& ids);
    void chargeGroup(const QStringList& ids);
    void settleGroup(const QStringList& ids);

    QSqlDatabase m_shop;
    QSqlDatabase m_bank;
    int m_number = 0;
};

} // namespace payonce::bench
