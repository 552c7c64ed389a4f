// Every error of QNetworkReply: what we call it, and what it then means for the payment, with and without bytes taken.
#include "core/retry/wire_results.h"
#include "retry/outcome.h"
#include "transport/network_error.h"

#include <QtCore/QMetaEnum>
#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

#include <array>
#include <set>

using namespace payonce;
using namespace payonce::retry_tests;
using retry::OutcomeKind;
using retry::TransportError;
using transport::transportErrorOf;

namespace {

struct Row
{
    QNetworkReply::NetworkError qt;
    TransportError withStatus;
    TransportError withoutStatus;
};

/// Errors of the network: a status beside them changes nothing, for the answer was cut.
constexpr Row of(QNetworkReply::NetworkError qt, TransportError ours)
{
    return {.qt = qt, .withStatus = ours, .withoutStatus = ours};
}

/// Errors that only repeat a status; without one they are an HTTP/2 stream that was reset.
constexpr Row ofStatus(QNetworkReply::NetworkError qt)
{
    return {.qt = qt, .withStatus = TransportError::None, .withoutStatus = TransportError::Protocol};
}

constexpr std::array kRows = {
    of(QNetworkReply::NoError, TransportError::None),
    of(QNetworkReply::ConnectionRefusedError, TransportError::ConnectionRefused),
    of(QNetworkReply::RemoteHostClosedError, TransportError::RemoteClosed),
    of(QNetworkReply::HostNotFoundError, TransportError::HostNotFound),
    of(QNetworkReply::TimeoutError, TransportError::Timeout),
    of(QNetworkReply::OperationCanceledError, TransportError::Cancelled),
    of(QNetworkReply::SslHandshakeFailedError, TransportError::TlsFailed),
    of(QNetworkReply::TemporaryNetworkFailureError, TransportError::NetworkDown),
    of(QNetworkReply::NetworkSessionFailedError, TransportError::NetworkDown),
    of(QNetworkReply::BackgroundRequestNotAllowedError, TransportError::NetworkDown),
    of(QNetworkReply::TooManyRedirectsError, TransportError::RedirectRefused),
    of(QNetworkReply::InsecureRedirectError, TransportError::RedirectRefused),
    of(QNetworkReply::UnknownNetworkError, TransportError::Other),
    of(QNetworkReply::ProxyConnectionRefusedError, TransportError::Proxy),
    of(QNetworkReply::ProxyConnectionClosedError, TransportError::Proxy),
    of(QNetworkReply::ProxyNotFoundError, TransportError::Proxy),
    of(QNetworkReply::ProxyTimeoutError, TransportError::Proxy),
    of(QNetworkReply::ProxyAuthenticationRequiredError, TransportError::Proxy),
    of(QNetworkReply::UnknownProxyError, TransportError::Proxy),
    ofStatus(QNetworkReply::ContentAccessDenied),
    ofStatus(QNetworkReply::ContentOperationNotPermittedError),
    ofStatus(QNetworkReply::ContentNotFoundError),
    ofStatus(QNetworkReply::AuthenticationRequiredError),
    of(QNetworkReply::ContentReSendError, TransportError::ResendBlocked),
    ofStatus(QNetworkReply::ContentConflictError),
    ofStatus(QNetworkReply::ContentGoneError),
    ofStatus(QNetworkReply::UnknownContentError),
    of(QNetworkReply::ProtocolUnknownError, TransportError::Other),
    ofStatus(QNetworkReply::ProtocolInvalidOperationError),
    of(QNetworkReply::ProtocolFailure, TransportError::Protocol),
    ofStatus(QNetworkReply::InternalServerError),
    ofStatus(QNetworkReply::OperationNotImplementedError),
    ofStatus(QNetworkReply::ServiceUnavailableError),
    ofStatus(QNetworkReply::UnknownServerError),
};

} // namespace

class NetworkErrorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void error_isCalledByOurName_data() { addRows(); }
    void error_isCalledByOurName();
    void errorWithoutBytes_isNotSent_data() { addRows(); }
    void errorWithoutBytes_isNotSent();
    void errorWithBytes_isUnknown_data() { addRows(); }
    void errorWithBytes_isUnknown();
    void errorBesideAPaidAnswer_isNoPaidAnswer_data() { addRows(); }
    void errorBesideAPaidAnswer_isNoPaidAnswer();
    void everyErrorOfQt_hasOneRow();
    void errorNewerThanThis_isNeverGood();

private:
    static void addRows();
};

void NetworkErrorTest::addRows()
{
    QTest::addColumn<int>("index");

    const QMetaEnum names = QMetaEnum::fromType<QNetworkReply::NetworkError>();
    for (std::size_t index = 0; index < kRows.size(); ++index) {
        QTest::newRow(names.valueToKey(kRows.at(index).qt)) << static_cast<int>(index);
    }
}

void NetworkErrorTest::error_isCalledByOurName()
{
    QFETCH(const int, index);
    const Row row = kRows.at(static_cast<std::size_t>(index));

    QCOMPARE(nameOf(transportErrorOf(row.qt, true)), nameOf(row.withStatus));
    QCOMPARE(nameOf(transportErrorOf(row.qt, false)), nameOf(row.withoutStatus));
}

void NetworkErrorTest::errorWithoutBytes_isNotSent()
{
    QFETCH(const int, index);
    const TransportError error = transportErrorOf(kRows.at(static_cast<std::size_t>(index)).qt, false);

    QCOMPARE(classifyPost(notSent(error), anId(), anAmount()).kind, OutcomeKind::NotSent);
    QCOMPARE(classifyProbe(notSent(error), anId(), anAmount()).kind, OutcomeKind::Unknown); // it never had a body
}

void NetworkErrorTest::errorWithBytes_isUnknown()
{
    QFETCH(const int, index);
    const TransportError error = transportErrorOf(kRows.at(static_cast<std::size_t>(index)).qt, false);

    QCOMPARE(classifyPost(lost(error), anId(), anAmount()).kind, OutcomeKind::Unknown);
    QCOMPARE(classifyProbe(lost(error), anId(), anAmount()).kind, OutcomeKind::Unknown);
}

void NetworkErrorTest::errorBesideAPaidAnswer_isNoPaidAnswer()
{
    QFETCH(const int, index);
    const Row row = kRows.at(static_cast<std::size_t>(index));
    retry::WireResult posted = paid();
    posted.error = transportErrorOf(row.qt, true);
    retry::WireResult probed = found(values::RecordState::Succeeded);
    probed.error = posted.error;

    // Where the error only repeats the status, the answer stands for itself.
    const OutcomeKind expected = row.withStatus == TransportError::None ? OutcomeKind::Final : OutcomeKind::Unknown;
    QCOMPARE(classifyPost(posted, anId(), anAmount()).kind, expected);
    QCOMPARE(classifyProbe(probed, anId(), anAmount()).kind, expected);
}

/// Fails with the next Qt that knows another error, until somebody has thought about it.
void NetworkErrorTest::everyErrorOfQt_hasOneRow()
{
    std::multiset<int> rows;
    for (const Row& row : kRows) {
        rows.insert(row.qt);
    }

    const QMetaEnum errors = QMetaEnum::fromType<QNetworkReply::NetworkError>();
    for (int index = 0; index < errors.keyCount(); ++index) {
        QVERIFY2(rows.count(errors.value(index)) == 1, errors.key(index));
    }
    QCOMPARE(rows.size(), static_cast<std::size_t>(errors.keyCount()));
}

void NetworkErrorTest::errorNewerThanThis_isNeverGood()
{
    for (const int value : {-1, 8, 98, 106, 300, 399, 510}) {
        const auto error = static_cast<QNetworkReply::NetworkError>(value);
        QVERIFY(transportErrorOf(error, true) != TransportError::None);
        QVERIFY(transportErrorOf(error, false) != TransportError::None);
    }
}

QTEST_APPLESS_MAIN(NetworkErrorTest)
#include "tst_network_error.moc"
