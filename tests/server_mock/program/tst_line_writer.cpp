// Lines leave in order and whole, and a reader that does not read stops nobody.
#include "program/line_writer.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <utility>

using payonce::program::LineWriter;
using namespace std::chrono_literals;

namespace {

constexpr auto kPatience = 20s;

QByteArray droppedLine(std::int64_t lines)
{
    return "dropped " + QByteArray::number(static_cast<qint64>(lines)) + '\n';
}

} // namespace

class TestLineWriter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QCOMPARE(::pipe2(m_pipe.data(), O_CLOEXEC), 0);
    }
    void cleanup()
    {
        for (int& end : m_pipe)
            if (end >= 0)
                ::close(std::exchange(end, -1));
    }

    void lines_leaveInOrder()
    {
        const QTemporaryDir dir;
        QFile file(dir.filePath(QStringLiteral("log")));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray expected;
        {
            LineWriter writer(file.handle(), droppedLine);
            for (int i = 0; i < 2'000; ++i) {
                const QByteArray line = "line " + QByteArray::number(i) + '\n';
                writer.write(line);
                expected += line;
            }
        }
        QVERIFY(file.seek(0));
        QCOMPARE(file.readAll(), expected);
    }

    void unreadPipe_blocksNobodyAndIsToldHowManyWereDropped()
    {
        constexpr int kLines = 5'000;
        const QByteArray line = QByteArray(99, 'x') + '\n';
        LineWriter writer(m_pipe.at(1), droppedLine, 100'000);
        for (int i = 0; i < kLines; ++i)
            writer.write(line); // 500,000 bytes: more than a pipe and the buffer hold
        QVERIFY(!writer.flush(10ms));

        QByteArray told;
        const auto isAll = [&] {
            readInto(told);
            return writer.flush(0ms);
        };
        QVERIFY(::fcntl(m_pipe.at(0), F_SETFL, O_NONBLOCK) == 0);
        QTRY_VERIFY(isAll());
        readInto(told);
        // The pipe fills while lines come, so there may be several gaps; each is told where it is, and nothing else is missing.
        qint64 whole = 0;
        qint64 dropped = 0;
        for (const QByteArray& one : told.split('\n')) {
            whole += one + '\n' == line ? 1 : 0;
            dropped += one.startsWith("dropped ") ? one.mid(8).toLongLong() : 0;
        }
        QVERIFY(told.endsWith('\n'));
        QCOMPARE(whole + dropped, qint64{kLines});
        QVERIFY(whole >= 1'000 && dropped > 0);
    }

    void readerThatLeft_stopsNobody()
    {
        const auto before = std::signal(SIGPIPE, SIG_IGN);
        ::close(std::exchange(m_pipe.at(0), -1));
        {
            LineWriter writer(m_pipe.at(1), droppedLine);
            writer.write("nobody reads this\n");
            QVERIFY(writer.flush(kPatience));
        }
        std::signal(SIGPIPE, before);
    }

private:
    void readInto(QByteArray& told) const
    {
        std::array<char, 65'536> part{};
        ssize_t size = 0;
        while ((size = ::read(m_pipe.at(0), part.data(), part.size())) > 0)
            told.append(part.data(), size);
    }

    std::array<int, 2> m_pipe{-1, -1};
};

QTEST_APPLESS_MAIN(TestLineWriter)
#include "tst_line_writer.moc"
