#include "support/postgres_cluster.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QStorageInfo>
#include <QtCore/QUuid>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>
#include <QtSql/QSqlRecord>
#include <QtTest/QTest>

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

namespace payonce::support {

namespace {

constexpr int kPatienceMs = 60'000;
constexpr int kPlacesKept = 4;
const QString kUser = QStringLiteral("payonce");

/// Debian keeps them out of PATH, one directory a version; the newest one.
QString findPrograms()
{
    const QDir versions(QStringLiteral("/usr/lib/postgresql"));
    QStringList names = versions.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    std::sort(names.begin(), names.end(),
              [](const QString& left, const QString& right) { return left.toInt() > right.toInt(); });
    for (const QString& name : names)
        if (QFile::exists(versions.filePath(name + QStringLiteral("/bin/initdb"))))
            return versions.filePath(name + QStringLiteral("/bin"));
    qFatal("initdb of PostgreSQL is missing (package postgresql)");
    return {};
}

bool isRoot()
{
    return ::geteuid() == 0;
}

/// Who runs the server where the test is root.
const passwd* serverUser()
{
    const passwd* user = ::getpwnam("postgres"); // NOLINT(concurrency-mt-unsafe): the main thread, at the start
    if (user == nullptr)
        user = ::getpwnam("nobody"); // NOLINT(concurrency-mt-unsafe)
    if (user == nullptr)
        qFatal("there is neither a user postgres nor nobody");
    return user;
}

} // namespace

PostgresCluster::PostgresCluster()
    : m_directory(quickPlace() + QStringLiteral("/payonce-pg-XXXXXX")), m_programs(findPrograms())
{
    giveAway(m_directory.path());
    initialize();
    start();
}

QString PostgresCluster::quickPlace()
{
    constexpr qint64 kRoom = 1024LL * 1024 * 1024;
    const QStorageInfo memory(QStringLiteral("/dev/shm"));
    return memory.isValid() && memory.bytesAvailable() > kRoom ? memory.rootPath() : QDir::tempPath();
}

PostgresCluster::~PostgresCluster()
{
    stop();
}

void PostgresCluster::giveAway(const QString& path) const
{
    if (!isRoot())
        return;
    const passwd* user = serverUser();
    if (::chown(QFile::encodeName(path).constData(), user->pw_uid, user->pw_gid) != 0)
        qFatal("chown %s", qPrintable(path));
}

/// The command line of `program` for setpriv, so that it is not root and ends with this process.
QStringList PostgresCluster::asServer(const QString& program) const
{
    QStringList arguments{QStringLiteral("--pdeathsig"), QStringLiteral("INT")};
    if (isRoot()) {
        const passwd* user = serverUser();
        arguments += {QStringLiteral("--reuid"), QString::number(user->pw_uid), QStringLiteral("--regid"),
                      QString::number(user->pw_gid), QStringLiteral("--clear-groups")};
    }
    return arguments << QStringLiteral("--") << m_programs + QLatin1Char('/') + program;
}

void PostgresCluster::run(const QString& program, const QStringList& arguments) const
{
    QProcess process;
    process.setWorkingDirectory(m_directory.path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral("setpriv"), asServer(program) + arguments);
    if (!process.waitForFinished(kPatienceMs) || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
        qFatal("%s: %s", qPrintable(program), process.readAll().constData());
}

void PostgresCluster::initialize()
{
    run(QStringLiteral("initdb"), {QStringLiteral("-D"), m_directory.filePath(QStringLiteral("data")), QStringLiteral("-U"),
                                   kUser, QStringLiteral("-A"), QStringLiteral("trust"), QStringLiteral("-E"),
                                   QStringLiteral("UTF8"), QStringLiteral("--locale=C"), QStringLiteral("--no-sync")});
    QFile settings(m_directory.filePath(QStringLiteral("data/postgresql.conf")));
    if (!settings.open(QIODevice::Append))
        qFatal("postgresql.conf");
    settings.write("\nlisten_addresses = ''\nunix_socket_directories = '" + m_directory.path().toUtf8() +
                   "'\nshared_buffers = 16MB\nmax_wal_size = 64MB\nmin_wal_size = 32MB\nmax_connections = 100\n"
                   "dynamic_shared_memory_type = mmap\n"); // leaves nothing outside the directory
}

void PostgresCluster::start()
{
    m_server = std::make_unique<QProcess>();
    m_server->setWorkingDirectory(m_directory.path());
    m_server->setProcessChannelMode(QProcess::MergedChannels);
    m_server->setStandardOutputFile(m_directory.filePath(QStringLiteral("log")), QIODevice::Append);
    m_server->start(QStringLiteral("setpriv"),
                    asServer(QStringLiteral("postgres")) +
                        QStringList{QStringLiteral("-D"), m_directory.filePath(QStringLiteral("data"))});
    const auto isSettled = [this] { return isReady() || m_server->state() == QProcess::NotRunning; };
    if (!QTest::qWaitFor(isSettled, kPatienceMs) || !isReady())
        qFatal("postgres does not start; see %s", qPrintable(m_directory.filePath(QStringLiteral("log"))));
}

// The last line of this file says so once connections are taken.
bool PostgresCluster::isReady() const
{
    QFile pid(m_directory.filePath(QStringLiteral("data/postmaster.pid")));
    return pid.open(QIODevice::ReadOnly) && pid.readAll().trimmed().endsWith("ready");
}

// SIGQUIT is "immediate": no checkpoint, nobody is waited for.
void PostgresCluster::stop()
{
    if (!m_server || m_server->state() == QProcess::NotRunning)
        return;
    ::kill(static_cast<pid_t>(m_server->processId()), SIGQUIT);
    m_server->waitForFinished(kPatienceMs);
}

storage::Rows PostgresCluster::execute(const QString& sql)
{
    storage::Rows rows;
    const QString name = QUuid::createUuid().toString();
    {
        auto database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), name);
        database.setHostName(m_directory.path());
        database.setDatabaseName(QStringLiteral("postgres"));
        database.setUserName(kUser);
        database.setConnectOptions(QStringLiteral("options='-cclient_min_messages=error'"));
        if (!database.open())
            qFatal("%s", qPrintable(database.lastError().text()));
        QSqlQuery done(database);
        if (!done.exec(sql))
            qFatal("%s: %s", qPrintable(sql), qPrintable(done.lastError().text()));
        while (done.next()) {
            rows.append(storage::Row());
            for (int column = 0; column < done.record().count(); ++column)
                rows.last().append(done.value(column));
        }
    }
    QSqlDatabase::removeDatabase(name);
    return rows;
}

storage::Location PostgresCluster::freshPlace()
{
    const auto nameOf = [](int number) { return QStringLiteral("place_%1").arg(number); };
    const QString schema = nameOf(++m_places);
    execute(QStringLiteral("CREATE SCHEMA ") + schema);
    if (m_places > kPlacesKept)
        execute(QStringLiteral("DROP SCHEMA %1 CASCADE").arg(nameOf(m_places - kPlacesKept)));
    return storage::Location::postgres({{QStringLiteral("host"), m_directory.path()},
                                        {QStringLiteral("dbname"), QStringLiteral("postgres")},
                                        {QStringLiteral("user"), kUser},
                                        {QStringLiteral("options"), QStringLiteral("-csearch_path=") + schema}});
}

QString PostgresCluster::schemaOf(const storage::Location& place)
{
    return place.parameters().value(QStringLiteral("options")).section(QLatin1Char('='), 1);
}

QString PostgresCluster::keyWordsOf(const storage::Location& place)
{
    QStringList words;
    for (auto one = place.parameters().cbegin(); one != place.parameters().cend(); ++one)
        words.append(QStringLiteral("%1='%2'").arg(one.key(), one.value()));
    return words.join(QLatin1Char(' '));
}

void PostgresCluster::killConnections()
{
    execute(QStringLiteral(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'payonce-server'"));
}

} // namespace payonce::support
