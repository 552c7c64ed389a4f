#include "simulation/planted.h"

#include <algorithm>
#include <array>

namespace payonce::simulation {

namespace {

struct Named
{
    Planted planted;
    const char* name;
};

constexpr std::array kNamed = {
    Named{Planted::Nothing, "nothing"},
    Named{Planted::BankNotIdempotent, "bank-not-idempotent"},
    Named{Planted::BankFenceKeepsNothing, "bank-fence-keeps-nothing"},
    Named{Planted::BankFenceLooksAtNothing, "bank-fence-looks-at-nothing"},
    Named{Planted::ShopForgetsClaims, "shop-forgets-claims"},
    Named{Planted::AskBankBeforeClaim, "ask-bank-before-claim"},
    Named{Planted::SecondBankKey, "second-bank-key"},
    Named{Planted::TimeoutIsDecline, "timeout-is-decline"},
    Named{Planted::NoCartIndex, "no-cart-index"},
    Named{Planted::CartTakenLeavesNoTombstone, "cart-taken-leaves-no-tombstone"},
    Named{Planted::ExpiredLeavesNoTombstone, "expired-leaves-no-tombstone"},
    Named{Planted::AbandonLeavesNoTombstone, "abandon-leaves-no-tombstone"},
    Named{Planted::AbandonAsksNoBank, "abandon-asks-no-bank"},
    Named{Planted::ReconcilerIgnoresWishes, "reconciler-ignores-wishes"},
    Named{Planted::NoOwnerCheck, "no-owner-check"},
    Named{Planted::PurgeWithoutWatermark, "purge-without-watermark"},
    Named{Planted::MailAfterCommit, "mail-after-commit"},
    Named{Planted::MailWithoutDeliveryId, "mail-without-delivery-id"},
    Named{Planted::NotFoundIsFinal, "not-found-is-final"},
    Named{Planted::ConflictIsFailure, "conflict-is-failure"},
    Named{Planted::RefusalIsFinal, "refusal-is-final"},
    Named{Planted::OpenFenceIsFinal, "open-fence-is-final"},
    Named{Planted::LostAnswerIsNotSent, "lost-answer-is-not-sent"},
    Named{Planted::ServerErrorIsFinal, "server-error-is-final"},
    Named{Planted::DigestIsNotChecked, "digest-is-not-checked"},
    Named{Planted::ActionIsNotChecked, "action-is-not-checked"},
    Named{Planted::RetryUnderNewId, "retry-under-new-id"},
    Named{Planted::SendBeforeSave, "send-before-save"},
    Named{Planted::BodyMadeAnew, "body-made-anew"},
    Named{Planted::AdoptedIsPosted, "adopted-is-posted"},
    Named{Planted::ValidityIsIgnored, "validity-is-ignored"},
    Named{Planted::JournalForgetsRows, "journal-forgets-rows"},
    Named{Planted::JournalForgetsReady, "journal-forgets-ready"},
    Named{Planted::JournalForgetsWishes, "journal-forgets-wishes"},
    Named{Planted::JournalForgetsTold, "journal-forgets-told"},
    Named{Planted::JournalForgetsAttempts, "journal-forgets-attempts"},
    Named{Planted::LeaseIsIgnored, "lease-is-ignored"},
    Named{Planted::WorkingAfterFence, "working-after-fence"},
    Named{Planted::OfflineThoughSent, "offline-though-sent"},
};

} // namespace

const char* nameOf(Planted planted)
{
    const auto* const found =
        std::find_if(kNamed.begin(), kNamed.end(), [planted](const Named& one) { return one.planted == planted; });
    return found == kNamed.end() ? "" : found->name;
}

std::optional<Planted> plantedOf(std::string_view name)
{
    const auto* const found = std::find_if(kNamed.begin(), kNamed.end(), [name](const Named& one) { return one.name == name; });
    return found == kNamed.end() ? std::nullopt : std::optional(found->planted);
}

} // namespace payonce::simulation
