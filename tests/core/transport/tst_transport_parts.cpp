#include "transport/one_shot_device.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace payonce;
using transport::OneShotDevice;

class TransportPartsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void device_isReadOnceInPieces();
    void device_cannotBeRewound();
    void device_takesNoWrites();
    void emptyDevice_isAtItsEnd();
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

QTEST_GUILESS_MAIN(TransportPartsTest)
#include "tst_transport_parts.moc"
