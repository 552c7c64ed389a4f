#include "transport/one_shot_device.h"
#include "transport/wire_call.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace payonce;
using transport::OneShotDevice;

namespace {

/// Has told its error and not yet its end, as Qt's own replies do for a moment.
class EndingReply : public QNetworkReply
{
public:
    EndingReply() { setError(RemoteHostClosedError, QStringLiteral("closed")); }

    void abort() override { ++m_aborts; }
    void end() { Q_EMIT finished(); }
    [[nodiscard]] int aborts() const { return m_aborts; }

protected:
    qint64 readData(char* /*data*/, qint64 /*maxSize*/) override { return -1; }

private:
    int m_aborts = 0;
};

} // namespace

class TransportPartsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void device_isReadOnceInPieces();
    void device_cannotBeRewound();
    void device_takesNoWrites();
    void emptyDevice_isAtItsEnd();
    void abortBetweenTheErrorAndTheEnd_endsItOnce();
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

void TransportPartsTest::abortBetweenTheErrorAndTheEnd_endsItOnce()
{
    auto* reply = new EndingReply; // the call's
    QList<transport::RawAnswer> ends;
    transport::WireCall call(reply, nullptr, {.connect = std::chrono::hours(1), .total = {}},
                             [&ends](const transport::RawAnswer& answer) { ends.append(answer); });

    call.abort(retry::EndReason::SoftDeadline);
    QCOMPARE(ends.size(), 0); // never inside a call
    reply->end();

    QTRY_COMPARE(ends.size(), 1);
    QCoreApplication::sendPostedEvents();
    QCOMPARE(ends.size(), 1);
    QVERIFY(ends.front().error == retry::TransportError::Cancelled);
    QVERIFY(ends.front().reason == retry::EndReason::SoftDeadline);
    QCOMPARE(reply->aborts(), 0); // it would be a second error
}

QTEST_GUILESS_MAIN(TransportPartsTest)
#include "tst_transport_parts.moc"
