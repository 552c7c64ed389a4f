// payonce at a shop whose https a private authority has signed. A TLS front stands before a real payonce-server.
#include "core/transport/test_authority.h"
#include "support/server_process.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QSslCertificate>
#include <QtNetwork/QSslKey>
#include <QtNetwork/QSslServer>
#include <QtNetwork/QSslSocket>
#include <QtTest/QTest>

#include <memory>

using payonce::support::ServerProcess;
using payonce::wiretest::Identity;
using payonce::wiretest::TestAuthority;

namespace {

constexpr int kPatience = 60'000;
const QString kThisHost = QStringLiteral("IP:127.0.0.1");

/// Hands what comes over TLS to a port of this machine, and back.
class TlsFront
{
public:
    TlsFront(const Identity& identity, quint16 behind) : m_behind(behind)
    {
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        tls.setLocalCertificate(QSslCertificate(identity.certificate));
        tls.setPrivateKey(QSslKey(identity.key, QSsl::Ec));
        m_server.setSslConfiguration(tls);
        QObject::connect(&m_server, &QTcpServer::pendingConnectionAvailable, &m_server, [this] { join(); });
        m_server.listen(QHostAddress::LocalHost);
    }

    [[nodiscard]] QString url() const { return QStringLiteral("https://127.0.0.1:%1").arg(m_server.serverPort()); }
    /// Deciphered bytes of clients so far.
    [[nodiscard]] qint64 received() const { return m_received; }

private:
    void join()
    {
        QTcpSocket* client = m_server.nextPendingConnection();
        auto* shop = new QTcpSocket(client);
        shop->connectToHost(QHostAddress::LocalHost, m_behind);
        QObject::connect(client, &QTcpSocket::readyRead, shop, [this, client, shop] {
            const QByteArray bytes = client->readAll();
            m_received += bytes.size();
            shop->write(bytes);
        });
        QObject::connect(shop, &QTcpSocket::readyRead, client, [client, shop] { client->write(shop->readAll()); });
        QObject::connect(shop, &QTcpSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
        QObject::connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
    }

    quint16 m_behind;
    qint64 m_received = 0;
    QSslServer m_server;
};

} // namespace

class TestPayonceHttps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_authority = TestAuthority::make();
        QVERIFY2(m_authority, "the openssl program made no certificate");
        m_identity = m_authority->issue(kThisHost);
        QVERIFY(m_identity);
        m_server = std::make_unique<ServerProcess>(m_serverDir.path());
        QVERIFY2(m_server->start(), m_server->errorText());
    }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void namedAuthority_isTrusted()
    {
        TlsFront front(*m_identity, m_server->shopPort());
        const auto [status, errors] = run(front, {QStringLiteral("--ca-file"), m_authority->certificateFile()});
        QCOMPARE(status, 1);
        QVERIFY2(!errors.contains("certificate") && !errors.contains("cannot be reached"), errors);
        QVERIFY(front.received() > 0);
    }

    void authorityOfNobody_isToldAndGetsNothing()
    {
        TlsFront front(*m_identity, m_server->shopPort());
        const auto [status, errors] = run(front, {});
        QCOMPARE(status, 1);
        QVERIFY2(errors.contains("certificate is not trusted"), errors);
        QCOMPARE(front.received(), 0);
    }

    void otherAuthority_isToldAndGetsNothing()
    {
        const auto other = TestAuthority::make();
        QVERIFY(other);
        TlsFront front(*m_identity, m_server->shopPort());
        const auto [status, errors] = run(front, {QStringLiteral("--ca-file"), other->certificateFile()});
        QCOMPARE(status, 1);
        QVERIFY2(errors.contains("certificate is not trusted"), errors);
        QCOMPARE(front.received(), 0);
    }

    void fileWithoutCertificates_is78BeforeAnythingStarts()
    {
        TlsFront front(*m_identity, m_server->shopPort());
        const auto [status, errors] = run(front, {QStringLiteral("--ca-file"), tokenFile()});
        QCOMPARE(status, 78);
        QVERIFY2(errors.contains("--ca-file"), errors);
        QCOMPARE(front.received(), 0);
    }

private:
    [[nodiscard]] QString tokenFile() const
    {
        return m_server->ready().value(QStringLiteral("tokens")).toObject().value(QStringLiteral("account")).toString();
    }

    struct Ended
    {
        int status;
        QByteArray errors;
    };

    /// Nothing is proven at another server, so a good run ends with 1.
    [[nodiscard]] Ended run(const TlsFront& front, const QStringList& more) const
    {
        const QTemporaryDir dir;
        QProcess process;
        process.start(QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("payonce")),
                      QStringList{QStringLiteral("--headless"), QStringLiteral("--headless-limit"), QStringLiteral("2"),
                                  QStringLiteral("--data-dir"), dir.path(), QStringLiteral("--server"), front.url(),
                                  QStringLiteral("--token-file"), tokenFile()} +
                          more);
        // Not waitForFinished: the front lives in this event loop.
        const bool ended = QTest::qWaitFor([&process] { return process.state() == QProcess::NotRunning; }, kPatience);
        return {ended ? process.exitCode() : -1, process.readAllStandardError()};
    }

    QTemporaryDir m_serverDir;
    std::optional<TestAuthority> m_authority;
    std::optional<Identity> m_identity;
    std::unique_ptr<ServerProcess> m_server;
};

QTEST_GUILESS_MAIN(TestPayonceHttps)
#include "tst_payonce_https.moc"
