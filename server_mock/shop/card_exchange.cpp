#include "shop/card_exchange.h"

#include "protocol/card_request.h"
#include "shop/replies.h"

namespace payonce::shop {

namespace {

constexpr int kCreated = 201;

} // namespace

void CardExchange::exchange(const std::shared_ptr<Incoming>& incoming)
{
    const auto card = protocol::parseCardRequest(incoming->request().body.toStdString());
    if (!card) {
        const protocol::Problem problem{.code = card.error().code,
                                        .detail = card.error().detail,
                                        .actionId = incoming->echo(),
                                        .instance = "/v1/payment-methods"};
        return m_parts.faults.answer(incoming->arrival, responseOf(problem));
    }
    const auto exchanged = [this, incoming](const std::optional<bank::ExchangedCard>& token) {
        if (token)
            save(incoming, *token);
        else
            m_parts.faults.answer(incoming->arrival, storeUnavailable(*incoming, m_parts.numbers.retryAfter));
    };
    m_parts.bank.exchange(card->number, m_parts.records.ifStillWanted(exchanged));
}

void CardExchange::save(const std::shared_ptr<Incoming>& incoming, const bank::ExchangedCard& card)
{
    const values::WallTime now = m_parts.clock();
    const storage::PaymentMethod method{card.paymentMethod, incoming->arrival.account, card.brand, card.lastFour,
                                        now + kPaymentMethodLife};
    m_parts.records.work<void>(
        [method, now](ShopStore& store) { return store.tables().savePaymentMethod(method, now); },
        [this, incoming, card](const Outcome<void>& saved) {
            if (!saved)
                return m_parts.faults.answer(incoming->arrival, storeUnavailable(*incoming, m_parts.numbers.retryAfter));
            const protocol::Answer answer{kCreated, protocol::kJsonType,
                                          protocol::renderCardToken({card.paymentMethod, card.brand, card.lastFour})};
            m_parts.faults.answer(incoming->arrival, responseOf(answer, incoming->echo()));
        });
}

} // namespace payonce::shop
