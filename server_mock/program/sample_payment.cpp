#include "program/sample_payment.h"

#include "machine/machine_clock.h"
#include "program/json_log.h"
#include "program/private_file.h"
#include "protocol/json_text.h"
#include "shop/card_exchange.h"
#include "values/time.h"

#include <chrono>

namespace payonce::program {

namespace {

constexpr const char* kCard = "4242424242424242";
constexpr auto kPayableFor = std::chrono::hours(23); // the shop takes 24
constexpr int kAmount = 4200;

// A cart that the shop does not know is the caller's own, with any amount.
std::string bodyOf(const std::string& paymentMethod)
{
    return protocol::textOf({{"cart_id", "judged-1"},
                             {"amount", {{"value", kAmount}, {"currency", "EUR"}}},
                             {"payment_method", paymentMethod},
                             {"email", "a@example.com"},
                             {"valid_until", values::toRfc3339(machine::wallTime() + kPayableFor)}});
}

} // namespace

void writeSamplePayment(bank::Bank& bank, shop::Records& records, const std::string& account, const QString& path,
                        std::function<void()> done)
{
    bank.exchange(kCard, [&records, account, path, done = std::move(done)](const std::optional<bank::ExchangedCard>& card) {
        if (!card) {
            logWarning({"no card could be exchanged for a payment to judge", {}, {}});
            return done();
        }
        const storage::PaymentMethod method{card->paymentMethod, account, card->brand, card->lastFour,
                                            machine::wallTime() + shop::kPaymentMethodLife};
        records.work<void>(
            [method](shop::ShopStore& store) { return store.tables().savePaymentMethod(method, machine::wallTime()); },
            [path, method, done](const shop::Outcome<void>& saved) {
                if (!saved)
                    logWarning({"no card could be kept for a payment to judge", {}, {}});
                else if (!writePrivately(path, QByteArray::fromStdString(bodyOf(method.id))).isEmpty())
                    logWarning({"the body of a payment to judge could not be written", {}, {}});
                done();
            });
    });
}

} // namespace payonce::program
