// Where a test's shop is made: a file, or a place in a private PostgreSQL where the test is compiled with PAYONCE_ON_POSTGRES.
#pragma once

#include "storage/location.h"

#include <QtCore/QTemporaryDir>

#ifdef PAYONCE_ON_POSTGRES
#include "support/postgres_cluster.h"

#include <QtCore/QCoreApplication>
#endif

namespace payonce::tests {

#ifdef PAYONCE_ON_POSTGRES
/// One cluster a test program, made at the first call; it ends with the application.
inline storage::Location freshPlace(const QTemporaryDir&)
{
    static support::PostgresCluster* cluster = nullptr;
    if (cluster == nullptr) {
        cluster = new support::PostgresCluster; // NOLINT(*-owning-memory): the routine below ends it
        qAddPostRoutine([] { delete cluster; });
    }
    return cluster->freshPlace();
}
#else
inline storage::Location freshPlace(const QTemporaryDir& directory)
{
    return directory.filePath(QStringLiteral("shop.sqlite"));
}
#endif

} // namespace payonce::tests
