#include "console/timeline_marks.h"

#include <QtTest/QTest>

using namespace payonce::console;

namespace {

using Marks = std::vector<std::string>;

TimelineRow row(Teller source, const char* kind, std::optional<int> attempt = {},
                std::vector<std::pair<std::string, std::string>> ids = {})
{
    TimelineRow made;
    made.source = source;
    made.kind = kind;
    made.attempt = attempt;
    made.ids = std::move(ids);
    return made;
}

TimelineRow arrival(const char* kind, const char* operation, const char* end = "", int attempt = 1)
{
    return row(Teller::Arrival, kind, attempt, {{"op", operation}, {"end", end}});
}

TimelineRow asked()
{
    return arrival("asked", "status");
}

} // namespace

class TimelineMarksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void markOfAnExpectation_isKnownOrNot_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isKnown");
        for (const auto* good :
             {"post 1",       "post 12",   "never arrived 2", "probe 3",           "claimed",           "replay",
              "charged",      "declined",  "fenced",          "settled succeeded", "settled abandoned", "found in_progress",
              "found failed", "not found", "reply lost",      "abandon",           "webhook",           "mail",
              "crash",        "staff",     "mismatch"})
            QTest::newRow(good) << QByteArray(good) << true;
        for (const auto* bad :
             {"", "post", "post 0", "post x", "post 1000", "settled", "settled done", "found", "Charged", "charged 1", "probe"})
            QTest::newRow(bad) << QByteArray(bad) << false;
    }
    void markOfAnExpectation_isKnownOrNot()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, isKnown);
        QCOMPARE(isTimelineMark(text.toStdString()), isKnown);
    }

    void lostReply_readsAsItHappened()
    {
        const auto marks = marksOf({arrival("payment", "pay"), row(Teller::Record, "claimed"), row(Teller::Bank, "charged"),
                                    arrival("fault", "pay", "reset"), row(Teller::Record, "paid"), asked(),
                                    row(Teller::Mail, "mail_queued"), row(Teller::Mail, "mail_sent")});
        QCOMPARE(marks, (Marks{"post 1", "claimed", "charged", "reply lost", "settled succeeded", "probe 1", "found succeeded",
                               "mail"}));
    }

    void eachMark_isOfItsRow_data()
    {
        QTest::addColumn<TimelineRow>("only");
        QTest::addColumn<Marks>("marks");
        QTest::newRow("second attempt") << arrival("payment_again", "pay", "", 2) << Marks{"post 2", "replay"};
        QTest::newRow("never read") << arrival("not_read", "pay", "closed") << Marks{"post 1", "reply lost"};
        QTest::newRow("server died") << arrival("fault", "pay", "crash") << Marks{"crash"};
        QTest::newRow("delayed") << arrival("fault", "pay") << Marks{};
        QTest::newRow("lost question") << arrival("fault", "status", "reset") << Marks{};
        QTest::newRow("lost attempt") << row(Teller::Client, "attempt_lost", 3) << Marks{"never arrived 3"};
        QTest::newRow("proven unsent") << row(Teller::Client, "attempt_not_sent", 1) << Marks{"never arrived 1"};
        QTest::newRow("arrived attempt") << row(Teller::Client, "attempt", 1) << Marks{};
        QTest::newRow("decline of the bank") << row(Teller::Bank, "declined") << Marks{"declined"};
        QTest::newRow("decline of the shop") << row(Teller::Record, "declined") << Marks{"settled failed"};
        QTest::newRow("closed") << row(Teller::Record, "closed_unsent") << Marks{"settled abandoned"};
        QTest::newRow("other content") << arrival("mismatch", "pay") << Marks{"mismatch"};
        QTest::newRow("abandon") << arrival("abandon", "abandon") << Marks{"abandon"};
        QTest::newRow("event again") << row(Teller::Webhook, "webhook_again") << Marks{"webhook"};
        QTest::newRow("staff") << row(Teller::Staff, "note") << Marks{"staff"};
    }
    void eachMark_isOfItsRow()
    {
        QFETCH(TimelineRow, only);
        QFETCH(Marks, marks);
        QCOMPARE(marksOf({only}), marks);
    }

    void probe_findsWhatIsThere()
    {
        QCOMPARE(marksOf({asked()}), (Marks{"probe 1", "not found"}));
        QCOMPARE(marksOf({row(Teller::Record, "claimed"), asked()}), (Marks{"claimed", "probe 1", "found in_progress"}));
    }

    void heldProbe_findsTheEndItWaitedFor()
    {
        QCOMPARE(marksOf({row(Teller::Record, "claimed"), asked(), asked(), row(Teller::Record, "paid")}),
                 (Marks{"claimed", "probe 1", "probe 2", "settled succeeded", "found succeeded", "found succeeded"}));
    }

    void order_isKept_andOthersMayLieBetween()
    {
        const Marks marks = {"post 1", "claimed", "charged", "reply lost", "probe 1", "found succeeded"};
        QCOMPARE(firstMissing({}, marks), std::string());
        QCOMPARE(firstMissing({"post 1", "charged", "found succeeded"}, marks), std::string());
        QCOMPARE(firstMissing({"charged", "post 1"}, marks), std::string("post 1"));
        QCOMPARE(firstMissing({"charged", "charged"}, marks), std::string("charged"));
        QCOMPARE(firstMissing({"crash"}, marks), std::string("crash"));
    }
};

QTEST_APPLESS_MAIN(TimelineMarksTest)
#include "tst_timeline_marks.moc"
