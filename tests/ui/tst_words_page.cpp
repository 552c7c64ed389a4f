// docs/words.md and the code say the same: every sentence stands in the page, and every row of it is said.
#include "ui/word_samples.h"

#include <QtCore/QFile>
#include <QtCore/QMap>
#include <QtCore/QSet>
#include <QtTest/QTest>

using namespace payonce;
using tests::Speaker;
using viewmodels::Words;

namespace {

/// The cells of a row as the page writes them, without the last one, which is for people.
QStringList cellsOf(const retry::Snapshot& snapshot)
{
    const Words words = viewmodels::wordsFor(snapshot);
    QStringList buttons;
    for (const QString& text : {words.nextText, viewmodels::cancelWordsFor(snapshot)})
        if (!text.isEmpty())
            buttons += text;
    return {words.title, words.sentence, words.assurance,
            buttons.isEmpty() ? QStringLiteral("–") : buttons.join(QStringLiteral(" / "))};
}

struct Page
{
    QMap<QString, QStringList> rows; ///< by speaker and case
    QStringList doubled;
    QMap<QString, QSet<QString>> texts; ///< by speaker
    QStringList withoutReason;
};

QString rowName(const QString& speaker, const QString& when)
{
    return speaker + QStringLiteral(": ") + when;
}

Page readPage()
{
    Page page;
    QFile file(QStringLiteral(PAYONCE_WORDS_PAGE));
    if (!file.open(QIODevice::ReadOnly))
        return page;
    QString speaker;
    for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
        if (line.startsWith(QStringLiteral("## ")))
            speaker = line.mid(3).section(QStringLiteral(": "), 0, 0).toLower();
        if (!line.startsWith(QStringLiteral("| `")))
            continue;
        QStringList cells = line.mid(2, line.size() - 4).split(QStringLiteral(" | "));
        const QString name = rowName(speaker, cells.takeFirst().remove(QLatin1Char('`')));
        if (page.rows.contains(name))
            page.doubled += name;
        if (cells.takeLast().trimmed().size() < 3)
            page.withoutReason += name;
        page.rows.insert(name, cells);
        for (const QString& cell : cells)
            for (const QString& text : cell.split(QStringLiteral(" / ")))
                page.texts[speaker] += text;
    }
    return page;
}

} // namespace

class TestWordsPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyCase_hasItsRow_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("cells");
        for (const auto& sample : tests::everyWordSample()) {
            const QString name = rowName(nameOf(sample.speaker), sample.when);
            QTest::newRow(qPrintable(name)) << name << cellsOf(sample.snapshot);
        }
    }
    void everyCase_hasItsRow()
    {
        QFETCH(QString, name);
        QFETCH(QStringList, cells);
        const QStringList written = m_page.rows.value(name);
        const QString missing = QStringLiteral("docs/words.md lacks this row:\n| `%1` | %2 | why it is true |")
                                    .arg(name.section(QStringLiteral(": "), 1), cells.join(QStringLiteral(" | ")));
        QVERIFY2(written == cells, qPrintable(missing));
    }

    void everyRow_isSaidOnceAndHasItsReason()
    {
        QSet<QString> said;
        for (const auto& sample : tests::everyWordSample())
            said += rowName(nameOf(sample.speaker), sample.when);
        QStringList stale;
        for (auto row = m_page.rows.cbegin(); row != m_page.rows.cend(); ++row)
            if (!said.contains(row.key()))
                stale += row.key();
        QCOMPARE(stale, QStringList());
        QCOMPARE(m_page.doubled, QStringList());
        QCOMPARE(m_page.withoutReason, QStringList());
    }

    void noSentence_isMissingWhateverHappens_data()
    {
        QTest::addColumn<int>("speaker");
        for (const Speaker speaker : tests::everySpeaker())
            QTest::newRow(qPrintable(nameOf(speaker))) << static_cast<int>(speaker);
    }
    void noSentence_isMissingWhateverHappens()
    {
        QFETCH(int, speaker);
        const QSet<QString>& written = m_page.texts[nameOf(static_cast<Speaker>(speaker))];
        const auto snapshots = tests::everySnapshotOf(static_cast<Speaker>(speaker));
        QVERIFY(snapshots.size() > std::size_t(500));
        QStringList missing;
        for (const auto& snapshot : snapshots) {
            if (snapshot.state == retry::State::Editing)
                continue;
            for (const QString& cell : cellsOf(snapshot))
                for (const QString& text : cell.split(QStringLiteral(" / ")))
                    if (!written.contains(text))
                        missing += viewmodels::wordsFor(snapshot).key + QStringLiteral(": ") + text;
        }
        QCOMPARE(missing, QStringList());
    }

private:
    Page m_page = readPage();
};

QTEST_APPLESS_MAIN(TestWordsPage)
#include "tst_words_page.moc"
