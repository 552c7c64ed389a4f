// The file of --ca-file, good and bad.
#include "checkout/authority_file.h"
#include "core/transport/test_authority.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QSslCertificate>
#include <QtTest/QTest>

using namespace payonce::checkout;
using payonce::wiretest::TestAuthority;

class TestAuthorityFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void initTestCase()
    {
        m_authority = TestAuthority::make();
        QVERIFY2(m_authority, "the openssl program made no certificate");
    }

    void certificatesInTheFile_areTheOnlyOnes()
    {
        const auto tls = trustOnly(m_authority->certificateFile());
        QVERIFY(tls);
        QCOMPARE(tls->caCertificates(), QList{QSslCertificate(m_authority->certificate())});
    }

    void severalWithWordsBetween_areAllTaken()
    {
        const auto other = TestAuthority::make();
        QVERIFY(other);
        const auto tls = trustOnly(fileWith("# Ours\n" + m_authority->certificate() + "\n# Theirs\n" + other->certificate()));
        QVERIFY(tls);
        QCOMPARE(tls->caCertificates().size(), 2);
    }

    void badFile_isRefusedByItsName_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("words");
        const auto whole = m_authority->certificate();
        const auto row = [](const char* name, const QString& path, const char* words) {
            QTest::newRow(name) << path << QString::fromLatin1(words);
        };
        row("missing", QStringLiteral("/nowhere/ca.pem"), "No such file");
        row("directory", QDir::tempPath(), "not a file");
        row("empty", fileWith({}), "no certificate");
        row("words", fileWith("no certificate at all"), "no certificate");
        row("key", fileWith(m_authority->issue(QStringLiteral("IP:127.0.0.1"))->key), "no certificate");
        row("DER", fileWith(QSslCertificate(whole).toDer()), "no certificate");
        row("cut", fileWith(whole.left(whole.size() / 2)), "damaged");
        row("changed", fileWith(QByteArray(whole).replace("MII", "AAA")), "damaged");
        row("one of two is cut", fileWith(whole + whole.left(whole.size() / 2)), "damaged");
    }
    void badFile_isRefusedByItsName()
    {
        QFETCH(QString, path);
        QFETCH(QString, words);
        const auto tls = trustOnly(path);
        QVERIFY(!tls);
        QVERIFY2(tls.error().contains(QStringLiteral("--ca-file: ") + path), qPrintable(tls.error()));
        QVERIFY2(tls.error().contains(words), qPrintable(tls.error()));
    }

private:
    [[nodiscard]] QString fileWith(const QByteArray& content)
    {
        QFile file(m_dir.filePath(QStringLiteral("%1.pem").arg(++m_files)));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            return {};
        return file.fileName();
    }

    const QTemporaryDir m_dir;
    int m_files = 0;
    std::optional<TestAuthority> m_authority;
};

QTEST_GUILESS_MAIN(TestAuthorityFile)
#include "tst_authority_file.moc"
