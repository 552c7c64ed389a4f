// The least a durable save can cost: one row, one transaction, WAL and synchronous=FULL, no code of ours.
#pragma once

#include "bench/figures.h"

#include <QtCore/QString>
#include <QtSql/QSqlDatabase>

#include <optional>

namespace payonce::bench {

class BareCommits
{
public:
    /// A fresh file in `directory`.
    explicit BareCommits(const QString& directory);
    BareCommits(const BareCommits&) = delete;
    BareCommits& operator=(const BareCommits&) = delete;
    BareCommits(BareCommits&&) = delete;
    BareCommits& operator=(BareCommits&&) = delete;
    ~BareCommits();

    /// Commits one row of about the size of an action, and says how long it took.
    [[nodiscard]] Microseconds commitOne();

private:
    QString m_name;
    std::optional<QSqlDatabase> m_database;
};

} // namespace payonce::bench
