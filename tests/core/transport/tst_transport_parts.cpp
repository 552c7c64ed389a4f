#include "transport/network_error.h"
#include "transport/one_shot_device.h"

#include <QtCore/QMetaEnum>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <set>

using namespace payonce;
using retry::TransportError;
using transport::OneShotDevice;
using transport::transportErrorOf;

class TransportPartsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void device_isReadOnceInPieces();
    void device_cannotBeRewound();
    void device_takesNoWrites();
    void emptyDevice_isAtItsEnd();
    void networkError_data();
    void networkError();
    void everyErrorOfQt_isNamed();
};

void TransportPartsTest::device_isReadOnceInPieces()
{
    OneShotDevice device("0123456789");
    QSignalSpy taken(&device, &OneShotDevice::firstByteTaken);
    QCOMPARE(device.bytesTaken(), 0);
    QCOMPARE(device.size(), 10);

    QCOMPARE(device.read(4), QByteArray("0123"));

    QCOMPARE(device.bytesTaken(), 4); // no buffer took more than was asked for
    QCOMPARE(device.bytesAvailable(), 6);
    QCOMPARE(device.read(100), QByteArray("456789"));
    QVERIFY(device.atEnd());
    QCOMPARE(device.read(1), QByteArray());
    QCOMPARE(device.bytesTaken(), 10);
    QCOMPARE(taken.count(), 1);
}

void TransportPartsTest::device_cannotBeRewound()
{
    OneShotDevice device("0123456789");
    QVERIFY(device.isSequential());
    QCOMPARE(device.read(4).size(), 4);

    QVERIFY(!device.reset());
    QVERIFY(!device.seek(0));

    QCOMPARE(device.read(2), QByteArray("45"));
}

void TransportPartsTest::device_takesNoWrites()
{
    OneShotDevice device("0");
    QTest::ignoreMessage(QtWarningMsg, "QIODevice::write (payonce::transport::OneShotDevice): ReadOnly device");

    QCOMPARE(device.write("1"), -1);
}

void TransportPartsTest::emptyDevice_isAtItsEnd()
{
    OneShotDevice device({});

    QVERIFY(device.atEnd());
    QCOMPARE(device.bytesAvailable(), 0);
}

void TransportPartsTest::networkError_data()
{
    QTest::addColumn<int>("qt");
    QTest::addColumn<int>("withStatus");
    QTest::addColumn<int>("withoutStatus");

    const auto row = [](const char* name, QNetworkReply::NetworkError error, TransportError with, TransportError without) {
        QTest::newRow(name) << static_cast<int>(error) << static_cast<int>(with) << static_cast<int>(without);
    };
    row("none", QNetworkReply::NoError, TransportError::None, TransportError::None);
    row("truncated 200", QNetworkReply::RemoteHostClosedError, TransportError::RemoteClosed, TransportError::RemoteClosed);
    row("404, or an HTTP/2 reset", QNetworkReply::ContentNotFoundError, TransportError::None, TransportError::Protocol);
    row("500, or an HTTP/2 reset", QNetworkReply::InternalServerError, TransportError::None, TransportError::Protocol);
    row("402", QNetworkReply::UnknownContentError, TransportError::None, TransportError::Protocol);
    row("401", QNetworkReply::AuthenticationRequiredError, TransportError::None, TransportError::Protocol);
    row("proxy", QNetworkReply::ProxyAuthenticationRequiredError, TransportError::Proxy, TransportError::Proxy);
    row("re-send", QNetworkReply::ContentReSendError, TransportError::ResendBlocked, TransportError::ResendBlocked);
    row("unknown", QNetworkReply::UnknownNetworkError, TransportError::Other, TransportError::Other);
    row("newer than we", static_cast<QNetworkReply::NetworkError>(510), TransportError::Other, TransportError::Other);
}

void TransportPartsTest::networkError()
{
    QFETCH(const int, qt);
    QFETCH(const int, withStatus);
    QFETCH(const int, withoutStatus);
    const auto error = static_cast<QNetworkReply::NetworkError>(qt);

    QCOMPARE(static_cast<int>(transportErrorOf(error, true)), withStatus);
    QCOMPARE(static_cast<int>(transportErrorOf(error, false)), withoutStatus);
}

void TransportPartsTest::everyErrorOfQt_isNamed()
{
    const std::set<int> unnamed = {QNetworkReply::UnknownNetworkError, QNetworkReply::ProtocolUnknownError};
    const QMetaEnum errors = QMetaEnum::fromType<QNetworkReply::NetworkError>();
    for (int index = 0; index < errors.keyCount(); ++index) {
        const auto error = static_cast<QNetworkReply::NetworkError>(errors.value(index));

        const bool isOther = transportErrorOf(error, false) == TransportError::Other;

        QVERIFY2(isOther == (unnamed.count(error) == 1), errors.key(index));
        QVERIFY(transportErrorOf(error, false) != TransportError::None || error == QNetworkReply::NoError);
    }
}

QTEST_GUILESS_MAIN(TransportPartsTest)
#include "tst_transport_parts.moc"
