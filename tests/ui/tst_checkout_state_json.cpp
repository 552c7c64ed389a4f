#include "ui/model_screen.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace payonce;
using retry::Cause;
using retry::State;
using tests::json;
using tests::ModelScreen;
using viewmodels::CheckoutViewModel;

class TestCheckoutStateJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void stateJson_hasEveryMember()
    {
        ModelScreen screen;
        auto snapshot = tests::sampleSnapshot(State::RetryWait);
        snapshot.attempt = 2;
        snapshot.probes = 3;
        snapshot.networkPending = 1;
        snapshot.savesPending = 2;
        screen.control.show(snapshot);
        QJsonObject state = json(screen.viewModel);

        QVERIFY(state.take(QStringLiteral("revision")).toInt() > 0);
        const QByteArray expected = R"({"schema":1,"window":"checkout","state":"RetryWait","outcome":"unknown",
            "action_id":"0198c0de-7a11-7c3e-9f00-6b1f0a2c4d5e","reference":"0A2C-4D5E","kind":"payment",
            "amount":{"value":4200,"currency":"EUR"},"attempt":2,"attempts_max":4,"next_try_ms":1800,"posts":1,"probes":3,
            "primary":null,"cancel":{"name":"checkout.cancel","text":"Cancel or use another card","enabled":true},"sentence":"retry_wait","owner":true,"dialog":null,
            "pending":{"network":1,"timers":1,"saves":2}})";
        QCOMPARE(state, QJsonDocument::fromJson(expected).object());
    }

    void stateJson_outcomeFollowsTheState_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("outcome");
        const auto row = [](State state, const char* outcome) {
            QTest::newRow(retry::nameOf(state)) << static_cast<int>(state) << QString::fromLatin1(outcome);
        };
        row(State::Editing, "none");
        row(State::Saving, "not_sent");
        row(State::NotStarted, "not_sent");
        row(State::Sending, "unknown");
        row(State::Confirming, "unknown");
        row(State::ServerWorking, "unknown");
        row(State::RetryWait, "unknown");
        row(State::Offline, "not_sent");
        row(State::Paid, "paid");
        row(State::Declined, "declined");
        row(State::Cancelled, "cancelled");
        row(State::Unresolved, "unknown");
        row(State::OfflineUnknown, "unknown");
        row(State::Fencing, "unknown");
        row(State::NotCharged, "not_charged");
        row(State::Conflict, "conflict");
    }
    void stateJson_outcomeFollowsTheState()
    {
        QFETCH(int, state);
        ModelScreen screen;
        screen.control.show(tests::sampleSnapshot(static_cast<State>(state)));
        QTEST(json(screen.viewModel)[QStringLiteral("outcome")].toString(), "outcome");
    }

    void stateJson_primaryIsTheButtonOfTheScreen()
    {
        ModelScreen screen;
        screen.becomePayable();
        const auto primary = [&screen] { return json(screen.viewModel)[QStringLiteral("primary")].toObject(); };
        QCOMPARE(primary()[QStringLiteral("name")].toString(), QStringLiteral("checkout.pay"));
        QCOMPARE(primary()[QStringLiteral("enabled")].toBool(), true);
        screen.viewModel.pay();
        QVERIFY(json(screen.viewModel)[QStringLiteral("primary")].isNull());
        screen.control.show(tests::sampleSnapshot(State::Unresolved, Cause::Late));
        QCOMPARE(primary()[QStringLiteral("name")].toString(), QStringLiteral("checkout.next"));
        QCOMPARE(primary()[QStringLiteral("text")].toString(), QStringLiteral("Check again"));
    }

    void revision_growsWithEveryChangeAndOnlyThen()
    {
        ModelScreen screen;
        screen.becomePayable();
        const auto revision = [&screen] { return json(screen.viewModel)[QStringLiteral("revision")].toInt(); };
        QSignalSpy told(&screen.viewModel, &CheckoutViewModel::stateJsonChanged);
        int last = revision();
        for (const auto& [state, cause] : tests::everyStateAndCause()) {
            screen.control.show(tests::sampleSnapshot(state, cause));
            QVERIFY(revision() > last);
            last = revision();
        }
        const auto tellings = told.count();
        screen.control.show(
            tests::sampleSnapshot(tests::everyStateAndCause().back().state, tests::everyStateAndCause().back().cause));
        QCOMPARE(revision(), last);
        QCOMPARE(told.count(), tellings);
    }

    void revision_isNewBeforeTheScreenIsTold()
    {
        ModelScreen screen;
        screen.becomePayable();
        QString seen;
        connect(&screen.viewModel, &CheckoutViewModel::changed, this, [&screen, &seen] {
            seen = json(screen.viewModel)[QStringLiteral("state")].toString() + screen.viewModel.stateJson();
        });
        screen.control.show(tests::sampleSnapshot(State::Sending));
        QCOMPARE(seen, QStringLiteral("Sending") + screen.viewModel.stateJson());
    }
};

QTEST_APPLESS_MAIN(TestCheckoutStateJson)
#include "tst_checkout_state_json.moc"
