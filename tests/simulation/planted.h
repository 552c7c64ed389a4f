// Planted: faults of the rules, planted around production code and never into it, to show that the referee finds them.
#pragma once

#include <optional>
#include <string_view>

namespace payonce::simulation {

enum class Planted {
    Nothing,

    // The bank.
    BankNotIdempotent,       ///< every call of charge is a new charge
    BankFenceKeepsNothing,   ///< it answers *fenced* and a later charge goes through
    BankFenceLooksAtNothing, ///< it answers *fenced* whatever was charged before

    // The shop.
    ShopForgetsClaims,          ///< a crash of a server loses every record
    AskBankBeforeClaim,         ///< the claim is committed only after the bank has answered
    SecondBankKey,              ///< who takes a record over runs it blindly under a new bank key
    TimeoutIsDecline,           ///< a bank that does not answer in time is recorded as a decline
    NoCartIndex,                ///< a cart may have any number of open and paid actions
    CartTakenLeavesNoTombstone, ///< `cart-taken` is answered and not written
    ExpiredLeavesNoTombstone,   ///< `action-expired` is answered and not written
    AbandonLeavesNoTombstone,   ///< an abandon of an unknown action is answered and not written
    AbandonAsksNoBank,          ///< an open record is called abandoned without the bank's fence
    ReconcilerIgnoresWishes,    ///< the reconciler charges a record that is to be cancelled
    NoOwnerCheck,               ///< whoever completes a record writes its effects, owner or not
    PurgeWithoutWatermark,      ///< a purged key is claimed as if it were new
    MailAfterCommit,            ///< the receipt is written after the commit that makes the payment paid
    MailWithoutDeliveryId,      ///< every try to deliver a mail is another mail

    // What the client reads out of an answer.
    NotFoundIsFinal,     ///< a probe's 404 is taken as "closed, not charged"
    ConflictIsFailure,   ///< 409 is taken as a decline
    RefusalIsFinal,      ///< a refusal that nobody remembers is taken as "closed, not charged"
    OpenFenceIsFinal,    ///< a fence that is answered *open* is taken as "closed, not charged"
    LostAnswerIsNotSent, ///< a POST whose answer is lost is taken as if no byte had been taken
    ServerErrorIsFinal,  ///< 5xx is taken as a decline
    DigestIsNotChecked,  ///< a falsified answer is taken for the shop's
    ActionIsNotChecked,  ///< an answer about another action is taken for this one's

    // What the client sends.
    RetryUnderNewId,   ///< every POST after the first has a fresh ID
    SendBeforeSave,    ///< the POST leaves while save 2 is still on its way
    BodyMadeAnew,      ///< a repeat has other bytes
    AdoptedIsPosted,   ///< another device's action is POSTed as if it were ours
    ValidityIsIgnored, ///< the client believes that `valid_until` never comes

    // What the client remembers.
    JournalForgetsRows,     ///< an attempt row is reported as saved and is not durable
    JournalForgetsReady,    ///< save 2 is reported as saved and is not durable
    JournalForgetsWishes,   ///< the wish to cancel is reported as saved and is gone at the next start
    JournalForgetsTold,     ///< *told not started* is reported as saved and is not durable
    JournalForgetsAttempts, ///< after a restart every attempt counts as never sent
    LeaseIsIgnored,         ///< a displaced owner goes on writing

    // What the client says.
    WorkingAfterFence, ///< ServerWorking is shown while the fence is out
    OfflineThoughSent, ///< "nothing has been sent" is said by the last attempt alone
};

[[nodiscard]] const char* nameOf(Planted planted);
[[nodiscard]] std::optional<Planted> plantedOf(std::string_view name);

} // namespace payonce::simulation
