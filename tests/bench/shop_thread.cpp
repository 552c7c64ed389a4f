#include "bench/shop_thread.h"

#include "bank/ledger_bank.h"
#include "http/listener.h"
#include "shop/shop.h"
#include "storage/database_clock.h"
#include "support/fresh_id.h"
#include "values/check.h"

#include <QtCore/QEventLoop>
#include <QtCore/QSemaphore>

#include <utility>

namespace payonce::bench {

ShopThread::ShopThread(MakePoints makePoints)
{
    QSemaphore listens;
    m_thread.reset(QThread::create([this, &listens, make = std::move(makePoints)] {
        bank::LedgerBank bank(m_directory.filePath(QStringLiteral("bank.sqlite")), support::wallTime);
        CHECK(!bank.start());
        shop::LedgerWriter ledger([file = m_directory.filePath(QStringLiteral("shop.sqlite")), id = bank.bankId()] {
            return shop::ShopStore::open(file, {}, {"srv_bench", id});
        });
        CHECK(!ledger.start());
        const auto points = make(m_directory.path());
        shop::ShopSettings settings{.serverId = "srv_bench",
                                    .instance = "home/run_1",
                                    .accounts = {},
                                    .clock = support::wallTime,
                                    .uptime = storage::uptime,
                                    .warn = [](const auto&) { CHECK(false); },
                                    .numbers = {},
                                    .replayBytes = shop::kReplayBytesMost};
        settings.accounts.add("acct_1", token());
        shop::Shop shop(std::move(settings), ledger, bank, *points);
        http::Listener listener([&shop](auto exchange) { shop.handle(std::move(exchange)); });
        CHECK(listener.listen(0).has_value());
        m_port = listener.port();
        listens.release();
        QEventLoop().exec();
    }));
    m_thread->start();
    listens.acquire();
}

ShopThread::~ShopThread()
{
    m_thread->quit();
    m_thread->wait();
}

} // namespace payonce::bench
