#include "bench/client_rig.h"

#include "storage/client_journal.h"
#include "transport/shop_client.h"
#include "values/check.h"

#include <QtCore/QEventLoop>
#include <QtCore/QFile>

namespace payonce::bench {

namespace {

QStringList argumentsFor(const QTemporaryDir& directory, const QByteArray& scenario)
{
    if (scenario.isEmpty())
        return {};
    QFile file(directory.filePath(QStringLiteral("bench-scenario.json")));
    CHECK(file.open(QIODevice::WriteOnly));
    CHECK(file.write(scenario) == scenario.size());
    return {QStringLiteral("--scenario"), file.fileName()};
}

protocol::Policy policyOf(const transport::ShopAddress& address)
{
    transport::ShopClient client(address, {});
    std::optional<protocol::Policy> policy;
    QEventLoop wait;
    client.fetchPolicy([&](const auto& result) {
        CHECK(result.has_value());
        policy = *result;
        wait.quit();
    });
    wait.exec();
    return *policy;
}

} // namespace

ClientRig::ClientRig(const QByteArray& scenario) : m_server(m_directory.path(), argumentsFor(m_directory, scenario))
{
    CHECK(m_server.start());
    m_address.base = QUrl(QStringLiteral("http://127.0.0.1:%1").arg(m_server.shopPort()));
    m_address.token = m_server.token(QStringLiteral("account"));
    m_wire = std::make_unique<transport::HttpTransport>(m_address, retry::Numbers{});
    m_transport = std::make_unique<TimedTransport>(*m_wire);
    const auto policy = policyOf(m_address);
    m_scope = {policy.account, policy.serverId};
}

std::unique_ptr<runner::ActionRunner> ClientRig::startedRunner()
{
    auto journal = std::make_unique<storage::ClientJournal>(
        storage::ClientJournal::fileAt(m_directory.filePath(QStringLiteral("client.sqlite"))));
    auto runner = std::make_unique<runner::ActionRunner>(std::move(journal), *m_transport, m_environment, retry::Numbers{});
    QEventLoop wait;
    QObject::connect(runner.get(), &runner::ActionRunner::ready, &wait, &QEventLoop::quit);
    runner->start(m_scope);
    wait.exec();
    return runner;
}

PaymentTimes ClientRig::payOnce()
{
    const auto euro = values::Currency::fromCode("EUR");
    CHECK(euro);
    m_transport->forget();
    const auto runner = startedRunner();
    QEventLoop wait;
    QObject::connect(runner.get(), &runner::ActionRunner::snapshotChanged, &wait, [&runner, &wait] {
        if (retry::isFinal(runner->snapshot().state))
            wait.quit();
    });
    const auto click = BenchClock::now();
    runner->pay({"bench_" + std::to_string(++m_cart), {4200, *euro}, "you@example.com"}, {"4242424242424242", 12, 2031, "123"});
    wait.exec();
    const auto final = BenchClock::now();
    CHECK(runner->snapshot().state == retry::State::Paid);
    PaymentTimes times;
    times.clickToFinal = std::chrono::duration_cast<Microseconds>(final - click);
    if (const auto end = m_transport->firstPostEnd())
        times.firstPostEndToFinal = std::chrono::duration_cast<Microseconds>(final - *end);
    return times;
}

} // namespace payonce::bench
