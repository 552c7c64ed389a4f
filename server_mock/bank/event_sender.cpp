#include "bank/event_sender.h"

#include "protocol/bank_event_json.h"
#include "values/check.h"

#include <QtCore/QPointer>

#include <utility>

namespace payonce::bank {

EventSender::EventSender(LedgerBank& bank, EventPost& post, std::string secret, Clock clock, const EventNumbers& numbers)
    : m_bank(bank), m_post(post), m_secret(std::move(secret)), m_clock(std::move(clock)), m_numbers(numbers)
{
    CHECK(!m_secret.empty());
    QObject::connect(&m_timer, &QTimer::timeout, m_home.get(), [this] { round(); });
}

void EventSender::start()
{
    m_timer.start(m_numbers.every);
    round();
}

void EventSender::round()
{
    if (m_isTaking || m_underWay >= m_numbers.most || !m_quiet.empty())
        return;
    m_isTaking = true;
    m_bank.takeEvents(m_numbers.lease, m_numbers.most - m_underWay,
                      [this, home = QPointer(m_home.get())](const std::vector<WaitingEvent>& events) {
                          if (!home)
                              return;
                          m_isTaking = false;
                          if (!m_quiet.empty()) // what was taken comes again after its lease
                              return rest();
                          for (const WaitingEvent& event : events)
                              send(event);
                      });
}

void EventSender::send(const WaitingEvent& event)
{
    const std::string body = protocol::renderBankEvent(event.event);
    ++m_underWay;
    m_post.post({protocol::signWebhook(m_secret, event.event.id, m_clock(), body), body},
                [this, event, home = QPointer(m_home.get())](Posted posted) {
                    if (!home)
                        return;
                    --m_underWay;
                    m_bank.endEvent(event, posted == Posted::Taken ? EventEnd::Delivered : EventEnd::Failed);
                    rest();
                });
}

void EventSender::whenQuiet(std::function<void()> done)
{
    m_quiet.push_back(std::move(done));
    rest();
}

void EventSender::rest()
{
    if (m_isTaking || m_underWay > 0)
        return;
    for (const auto& done : std::exchange(m_quiet, {}))
        done();
}

} // namespace payonce::bank
