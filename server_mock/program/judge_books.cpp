#include "program/judge_books.h"

#include <QtCore/QFile>

#include <algorithm>
#include <array>

namespace payonce::program {

namespace {

/// With what SQLite keeps beside them, and the body that goes with them.
constexpr std::array kBooks = {"shop.sqlite",     "shop.sqlite-wal", "shop.sqlite-shm", "bank.sqlite",
                               "bank.sqlite-wal", "bank.sqlite-shm", "arrivals.jsonl",  "payment.json"};

bool hasBooks(const DataDir& dir)
{
    for (const char* name : kBooks)
        if (QFile::exists(dir.file(QString::fromLatin1(name))))
            return true;
    return false;
}

/// The last thing that was written before the process ended is the rule that ended it.
bool diedOfItsScenario(const DataDir& dir)
{
    constexpr qint64 kLongestRow = 4096;
    QFile journal(dir.file(QStringLiteral("arrivals.jsonl")));
    if (!journal.open(QIODevice::ReadOnly))
        return false;
    journal.seek(std::max<qint64>(0, journal.size() - kLongestRow));
    const QByteArray end = journal.readAll().trimmed();
    return end.mid(end.lastIndexOf('\n') + 1).contains(R"("end":"crash")");
}

std::optional<Ending> emptyBooks(const DataDir& dir)
{
    for (const char* name : kBooks) {
        const QString path = dir.file(QString::fromLatin1(name));
        if (QFile::exists(path) && !QFile::remove(path))
            return Ending{ExitStatus::Storage, QStringLiteral("%1: cannot be removed").arg(path)};
    }
    return {};
}

} // namespace

QString notesFile(const DataDir& dir)
{
    return dir.file(QStringLiteral("judge.jsonl"));
}

std::optional<Ending> takeBooks(const DataDir& dir, Books whose)
{
    const QString notes = notesFile(dir);
    if (whose == Books::OfShop) {
        QFile::remove(notes); // from now on they are worth keeping
        return {};
    }
    if (!QFile::exists(notes) && hasBooks(dir))
        return Ending{
            ExitStatus::Configuration,
            QStringLiteral("%1: holds the books of a shop, and --judge begins with empty ones; name another directory")
                .arg(dir.path())};
    if (diedOfItsScenario(dir))
        return {};
    QFile::remove(notes);
    return emptyBooks(dir);
}

} // namespace payonce::program
