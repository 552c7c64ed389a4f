// The window over the real client: ActionRunner and machine, with a journal in memory and a small shop.
#include "support/fake_journal.h"
#include "support/fake_transport.h"
#include "ui/double_click.h"
#include "ui/samples.h"
#include "viewmodels/runner_payment_control.h"
#include "widgets/checkout_window.h"
#include "widgets/object_names.h"

#include "runner/action_runner.h"
#include "runner/system_environment.h"

#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

using namespace payonce;
using support::FakeTransport;
using support::Fate;
namespace names = widgets::names;

namespace {

constexpr std::uint64_t kSeed = 7;

/// One program on a disk.
struct Program
{
    std::shared_ptr<support::FakeDisk> disk;
    FakeTransport& shop;
    runner::SystemEnvironment environment{kSeed};
    runner::ActionRunner client;
    viewmodels::RunnerPaymentControl control;
    viewmodels::CheckoutViewModel viewModel;
    widgets::CheckoutWindow window;

    Program(std::shared_ptr<support::FakeDisk> onDisk, FakeTransport& atShop)
        : disk(std::move(onDisk)),
          shop(atShop),
          client(std::make_unique<support::FakeJournal>(disk), shop, environment, retry::Numbers()),
          control(client, environment),
          viewModel(control),
          window(viewModel, {tests::goodFields(), QString(), widgets::Animations::Off})
    {
        viewModel.showCart(tests::sampleCart());
        client.start({"acct_1", "srv_1"});
        window.show();
    }

    [[nodiscard]] QPushButton& pay() { return *window.findChild<QPushButton*>(names::kPay); }
    [[nodiscard]] QPushButton& next() { return *window.findChild<QPushButton*>(names::kNext); }
    [[nodiscard]] QString words() { return window.findChild<QLabel*>(names::kState)->text(); }
};

} // namespace

class TestCheckoutWithRunner : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void doubleClick_isOneActionAndOneCharge()
    {
        FakeTransport shop;
        Program program(std::make_shared<support::FakeDisk>(), shop);
        QTRY_VERIFY(program.pay().isEnabled());

        tests::doubleClick(program.pay());
        QCOMPARE(program.pay().text(), QStringLiteral("Processing…"));
        QVERIFY(!program.pay().isEnabled());

        QTRY_COMPARE(program.words(), QStringLiteral("Paid"));
        QCOMPARE(program.disk->all().size(), std::size_t(1));
        QCOMPARE(shop.posts().size(), std::size_t(1));
        QCOMPARE(shop.charges(), std::size_t(1));
        QVERIFY(shop.brokenRules().empty());
    }

    void press_isShownAlsoWhileTheDiskStalls()
    {
        FakeTransport shop;
        Program program(std::make_shared<support::FakeDisk>(), shop);
        QTRY_VERIFY(program.pay().isEnabled());
        program.disk->hold(support::JournalCall::SaveAction);

        QTest::mouseClick(&program.pay(), Qt::LeftButton);

        QCOMPARE(program.pay().text(), QStringLiteral("Processing…"));
        QVERIFY(shop.posts().empty());
        program.disk->release();
        QTRY_COMPARE(program.words(), QStringLiteral("Paid"));
    }

    void replyLost_isConfirmedByAsking()
    {
        FakeTransport shop;
        shop.postPlan = {Fate::LoseReply};
        Program program(std::make_shared<support::FakeDisk>(), shop);
        QStringList read;
        connect(&program.viewModel, &viewmodels::CheckoutViewModel::changed, this, [&] { read += program.viewModel.title(); });
        QTRY_VERIFY(program.pay().isEnabled());

        QTest::mouseClick(&program.pay(), Qt::LeftButton);

        QTRY_COMPARE(program.words(), QStringLiteral("Paid"));
        read.removeDuplicates();
        QVERIFY(read.contains(QStringLiteral("Confirming payment…")));
        QCOMPARE(shop.charges(), std::size_t(1));
        QCOMPARE(shop.posts().size(), std::size_t(1));
    }

    void declined_thenAnotherCard_isANewAction()
    {
        FakeTransport shop;
        shop.postPlan = {Fate::Decline};
        Program program(std::make_shared<support::FakeDisk>(), shop);
        QTRY_VERIFY(program.pay().isEnabled());
        QTest::mouseClick(&program.pay(), Qt::LeftButton);
        QTRY_COMPARE(program.next().text(), QStringLiteral("Use another card"));
        QVERIFY(program.next().isVisible());

        QTest::mouseClick(&program.next(), Qt::LeftButton);
        QTRY_VERIFY(program.viewModel.isEditing());
        program.viewModel.form().setFields(tests::goodFields());
        QTest::mouseClick(&program.pay(), Qt::LeftButton);

        QTRY_COMPARE(program.words(), QStringLiteral("Paid"));
        QCOMPARE(program.disk->all().size(), std::size_t(2));
        QVERIFY(shop.posts().at(0).id != shop.posts().at(1).id);
        QVERIFY(shop.brokenRules().empty());
    }

    void refusedCard_isAskedForAgainUnderTheSameId()
    {
        FakeTransport shop;
        shop.exchangePlan = {{retry::ExchangeResult::Kind::Refused, {}, "The number is not a card's."}};
        Program program(std::make_shared<support::FakeDisk>(), shop);
        QTRY_VERIFY(program.pay().isEnabled());
        QTest::mouseClick(&program.pay(), Qt::LeftButton);
        QTRY_COMPARE(program.next().text(), QStringLiteral("Use another card"));
        const QString reference = program.viewModel.reference();

        QTest::mouseClick(&program.next(), Qt::LeftButton);
        QVERIFY(program.viewModel.isEditing());
        program.viewModel.form().setFields(tests::goodFields());
        QTest::mouseClick(&program.pay(), Qt::LeftButton);

        QTRY_COMPARE(program.words(), QStringLiteral("Paid"));
        QCOMPARE(program.viewModel.reference(), reference);
        QCOMPARE(program.disk->all().size(), std::size_t(1));
    }

    void diskThatRefuses_sendsNothingAndSaysSo()
    {
        FakeTransport shop;
        Program program(std::make_shared<support::FakeDisk>(), shop);
        QTRY_VERIFY(program.pay().isEnabled());
        program.disk->failNext(support::JournalCall::SaveAction, retry::JournalError::DiskFull);
        QTest::mouseClick(&program.pay(), Qt::LeftButton);
        QTRY_COMPARE(program.words(), QStringLiteral("Payment not started"));
        QVERIFY(shop.posts().empty());

        QTest::mouseClick(&program.next(), Qt::LeftButton);

        QTRY_COMPARE(program.words(), QStringLiteral("Paid"));
        QCOMPARE(shop.charges(), std::size_t(1));
    }

    void journalThatCannotBeRead_switchesPayingOff()
    {
        FakeTransport shop;
        auto disk = std::make_shared<support::FakeDisk>();
        disk->failNext(support::JournalCall::TakeOverOpen, retry::JournalError::Damaged);
        Program program(disk, shop);
        QTRY_COMPARE(program.words(), QStringLiteral("Paying is switched off"));
        QVERIFY(!program.pay().isVisible());
    }
};

QTEST_MAIN(TestCheckoutWithRunner)
#include "tst_checkout_with_runner.moc"
