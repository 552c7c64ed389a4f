// A judged client as the shop sees it, for tests.
#pragma once

#include "console/client_verdict.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace payonce::tests {

using console::Operation;
using console::PurchaseVerdict;
using console::Said;
using console::SightedCharge;
using console::Sighting;
using console::SightingEnd;
using values::MonotonicTime;

/// What a client did, one request after another. Times are milliseconds.
class Story
{
public:
    /// Its end is added by told(), lost() and so on.
    Story& post(int at, const char* key, const char* cart = "cart_1", const char* attempt = "")
    {
        Sighting sighting;
        sighting.number = m_sightings.size() + 1;
        sighting.account = "acct_1";
        sighting.key = sighting.actionId = key;
        sighting.cartId = cart;
        sighting.email = "a@example.com";
        sighting.amount = "42.00 EUR";
        sighting.attempt = attempt;
        sighting.at.mono = MonotonicTime(std::chrono::milliseconds(at));
        m_sightings.push_back(sighting);
        return *this;
    }
    Story& look(int at, const char* key)
    {
        post(at, key, "");
        m_sightings.back().operation = Operation::Status;
        m_sightings.back().email = m_sightings.back().amount = "";
        return *this;
    }
    Story& told(int at, int status, Said said)
    {
        end(at, SightingEnd::Told);
        m_sightings.back().status = status;
        m_sightings.back().said = said;
        return *this;
    }
    Story& lost(int at) { return end(at, SightingEnd::Lost); }
    Story& left(int at) { return end(at, SightingEnd::Left); }
    Story& silent(int at) { return end(at, SightingEnd::Silent); }
    Story& retryAfter(std::chrono::seconds time)
    {
        m_sightings.back().retryAfter = time;
        return *this;
    }
    Story& tellsOrderOf(const char* action)
    {
        m_sightings.back().operation = Operation::Orders;
        m_sightings.back().paidActions = {action};
        return *this;
    }
    Story& naive(const char* action)
    {
        m_sightings.back().actionId = action;
        return *this;
    }
    /// Its body was never read.
    Story& headOnly()
    {
        Sighting& sighting = m_sightings.back();
        sighting.isHeadOnly = true;
        sighting.cartId = sighting.email = sighting.amount = "";
        return *this;
    }
    Story& email(const char* text)
    {
        m_sightings.back().email = text;
        return *this;
    }
    Story& charged(const char* id, const char* action, const char* account = "acct_1")
    {
        m_charges.push_back({id, account, action});
        return *this;
    }

    [[nodiscard]] std::vector<PurchaseVerdict> verdicts() const { return console::judgeClient(m_sightings, m_charges); }

private:
    Story& end(int at, SightingEnd end)
    {
        m_sightings.back().end = end;
        m_sightings.back().endedAt = MonotonicTime(std::chrono::milliseconds(at));
        return *this;
    }

    std::vector<Sighting> m_sightings;
    std::vector<SightedCharge> m_charges;
};

} // namespace payonce::tests
