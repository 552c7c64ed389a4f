// PostgresCluster: a private PostgreSQL of a test, in a temporary directory and on a socket there.
#pragma once

#include "storage/database.h"

#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>

#include <memory>

namespace payonce::support {

/// Made with initdb and run by a user who is not root (`postgres` or `nobody`, where the test is root). Durable as by default
/// (fsync). It ends with this object, and with the test program however that ends. What cannot be done ends the test program.
class PostgresCluster
{
public:
    PostgresCluster();
    PostgresCluster(const PostgresCluster&) = delete;
    PostgresCluster& operator=(const PostgresCluster&) = delete;
    PostgresCluster(PostgresCluster&&) = delete;
    PostgresCluster& operator=(PostgresCluster&&) = delete;
    ~PostgresCluster();

    /// Where temporary directories of tests with hundreds of commits are made: in memory, where there is room. Everything is
    /// synced as ever, but nobody waits for a disk that others use.
    [[nodiscard]] static QString quickPlace();
    /// An empty place of its own: another schema at each call. Only the newest four stay.
    [[nodiscard]] storage::Location freshPlace();
    /// The schema it is.
    [[nodiscard]] static QString schemaOf(const storage::Location& place);
    /// The same, in libpq's key words, for a command line.
    [[nodiscard]] static QString keyWordsOf(const storage::Location& place);

    /// Ends every connection of payonce's programs and tests, as an administrator may.
    void killConnections();
    /// As an administrator, on a connection of its own.
    storage::Rows execute(const QString& sql);
    /// At once, as a machine that fails; start() recovers.
    void stop();
    void start();

private:
    void initialize();
    void giveAway(const QString& path) const;
    void run(const QString& program, const QStringList& arguments) const;
    [[nodiscard]] QStringList asServer(const QString& program) const;
    [[nodiscard]] bool isReady() const;

    QTemporaryDir m_directory;
    QString m_programs; ///< the directory of initdb and postgres
    std::unique_ptr<QProcess> m_server;
    int m_places = 0;
};

} // namespace payonce::support
