#include "faults/fault_deeds.h"

#include "faults/deaf_exchange.h"
#include "faults/fault_bytes.h"
#include "values/check.h"
#include "values/overloaded.h"

#include <memory>
#include <utility>
#include <variant>

namespace payonce::faults {

void FaultDeeds::actOn(Surroundings around)
{
    m_around = std::move(around);
    m_held.setAfter(m_around.after);
}

bool FaultDeeds::waits(const console::Rule& rule, Arrival& arrival, const Proceed& proceed)
{
    if (const auto* delay = std::get_if<console::Delay>(&rule.action)) {
        m_held.sleep(delay->time, proceed);
        return true;
    }
    if (std::holds_alternative<console::Pause>(rule.action)) {
        m_held.pause({rule.point, arrival.account, arrival.actionId, arrival.nth}, proceed);
        return true;
    }
    const auto* hold = std::get_if<console::HoldThenProcess>(&rule.action);
    if (hold == nullptr)
        return false;
    arrival.isHit = true;
    const auto time = hold->time;
    switch (hold->meanwhile) {
    case console::Meanwhile::Hang: endConnection(console::Hang{}, arrival); break;
    case console::Meanwhile::Fin: endConnection(console::Fin{}, arrival); break;
    case console::Meanwhile::Rst: endConnection(console::Rst{}, arrival); break;
    }
    m_held.sleep(time, proceed);
    return true;
}

/// What leaves the connection alone.
bool FaultDeeds::actsAround(const console::FaultAction& action, Arrival& arrival, const Proceed& proceed)
{
    if (const auto* step = std::get_if<console::ClockStep>(&action)) {
        m_around.stepClock(step->by);
    } else if (const auto* refuse = std::get_if<console::Refuse>(&action)) {
        m_around.refuse(refuse->time);
    } else if (std::holds_alternative<console::StoreFail>(action)) {
        arrival.failsSave = true;
    } else if (std::holds_alternative<console::Forget>(action)) {
        m_around.forget(arrival.account, arrival.actionId, proceed);
        return true;
    } else if (const auto* twice = std::get_if<console::ProcessTwice>(&action)) {
        const auto copy = arrival.exchange->request();
        proceed();
        if (twice->after.count() == 0)
            deliverCopy(copy);
        else
            m_held.sleep(twice->after, [this, copy] { deliverCopy(copy); });
        return true;
    } else {
        return false;
    }
    proceed();
    return true;
}

void FaultDeeds::deliverCopy(http::Request request)
{
    const bool before = std::exchange(m_isDeliveringCopy, true);
    m_around.deliver(std::make_shared<DeafExchange>(std::move(request)));
    m_isDeliveringCopy = before;
}

void FaultDeeds::endConnection(const console::FaultAction& action, Arrival& arrival)
{
    auto& exchange = *arrival.exchange;
    std::visit(values::Overloaded{
                   [&](const console::Hang&) {
                       exchange.silence();
                       m_held.keepSilent(arrival.exchange);
                   },
                   [&](const console::Fin&) { exchange.end(http::End::Fin); },
                   [&](const console::Rst&) { exchange.end(http::End::Rst); },
                   [&](const console::HalfClose&) {
                       exchange.halfClose();
                       m_held.keepSilent(arrival.exchange);
                   },
                   [&](const console::Reply& reply) { exchange.answer(responseOf(reply)); },
                   [&](const console::Redirect& redirect) { exchange.answer(responseOf(redirect, exchange.request())); },
                   [&](const console::Garbage&) { exchange.sendRaw(garbage()); },
                   [](const auto& /*refused where scenarios are read, or done before*/) { CHECK(false); }},
               action);
}

} // namespace payonce::faults
