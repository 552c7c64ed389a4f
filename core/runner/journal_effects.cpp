#include "runner/journal_effects.h"

#include "protocol/payment_request.h"

namespace payonce::runner {

using retry::JournalError;
using values::Result;

void JournalEffects::perform(const retry::SaveAction& effect)
{
    struct Saved
    {
        Result<retry::LeaseNumber, JournalError> lease;
        retry::Sight holder; ///< of the cart, where another action has it
    };
    retry::Look look = m_host.look();
    look.wantsAll = true;
    m_journal.call(
        [action = effect.action, look](retry::Journal& journal) {
            auto lease = journal.saveAction(action);
            const bool isHeld = !lease && lease.error() == JournalError::CartHeld;
            return Saved{lease, isHeld ? journal.look(look).value_or(retry::Sight{}) : retry::Sight{}};
        },
        [this](const Saved& saved) {
            if (saved.lease) {
                m_host.step(retry::ActionSaved{*saved.lease});
            } else if (saved.lease.error() == JournalError::ReferenceTaken) {
                m_host.step(retry::ActionSaveFailed{.error = saved.lease.error(), .anotherId = m_host.mintId()});
            } else {
                m_host.step(retry::ActionSaveFailed{.error = saved.lease.error(), .anotherId = std::nullopt});
                if (saved.lease.error() == JournalError::CartHeld) {
                    m_host.saw(saved.holder);
                }
            }
        });
}

void JournalEffects::perform(const retry::SaveReady& effect)
{
    const retry::StoredAction& action = effect.action;
    const retry::PreparedRequest ready = effect.body ? protocol::prepared(effect.card, *effect.body)
                                                     : protocol::buildPayment(action.purchase, effect.card, action.validUntil);
    m_journal.call([id = action.id, lease = action.lease, ready,
                    first = effect.first](retry::Journal& journal) { return journal.saveReady(id, lease, ready, first); },
                   [this, ready](const Result<retry::AttemptBegun, JournalError>& saved) {
                       if (saved) {
                           m_host.step(retry::ReadySaved{.ready = ready, .row = *saved});
                       } else {
                           m_host.step(retry::ReadySaveFailed{saved.error()});
                       }
                   });
}

void JournalEffects::perform(const retry::RereadJournal& effect)
{
    m_journal.call([id = effect.id](retry::Journal& journal) { return journal.read(id); },
                   [this](const Result<std::optional<retry::StoredAction>, JournalError>& found) {
                       m_host.step(
                           retry::JournalReread{.readable = found.has_value(), .action = found ? *found : std::nullopt});
                   });
}

void JournalEffects::perform(const retry::MarkToldNotStarted& effect)
{
    m_journal.call([effect](retry::Journal& journal) { return journal.markToldNotStarted(effect.id, effect.lease); },
                   [](const Result<void, JournalError>& /*best effort*/) {});
}

void JournalEffects::perform(const retry::SaveAttemptRow& effect)
{
    m_journal.call(
        [effect](retry::Journal& journal) { return journal.beginAttempt(effect.id, effect.lease, effect.number, effect.at); },
        [this, number = effect.number](const Result<retry::AttemptBegun, JournalError>& begun) {
            if (!begun) {
                m_host.step(retry::AttemptRowRefused{.number = number, .error = begun.error()});
            } else if (*begun == retry::AttemptBegun::Refused) {
                m_host.step(retry::AttemptRowRefused{.number = number, .error = std::nullopt});
            } else {
                m_host.step(retry::AttemptRowSaved{number});
            }
        });
}

void JournalEffects::perform(const retry::SaveAttemptEnd& effect)
{
    m_journal.call(
        [effect](retry::Journal& journal) { return journal.endAttempt(effect.id, effect.lease, effect.number, effect.end); },
        [](const Result<void, JournalError>& /*the outcome stands whether or not this is saved*/) {});
}

void JournalEffects::perform(const retry::SaveFinal& effect)
{
    m_journal.call([effect](retry::Journal& journal) { return journal.saveFinal(effect.id, effect.lease, effect.answer); },
                   [this](const Result<void, JournalError>& saved) {
                       if (saved) {
                           m_host.step(retry::FinalSaved{});
                       } else {
                           m_host.step(retry::FinalSaveFailed{saved.error()});
                       }
                   });
}

void JournalEffects::perform(const retry::SaveWish& effect)
{
    m_journal.call([effect](retry::Journal& journal) { return journal.saveWish(effect.id, effect.lease, effect.wish); },
                   [this](const Result<retry::WishKept, JournalError>& saved) {
                       if (saved) {
                           m_host.step(retry::WishSaved{*saved});
                       } else {
                           m_host.step(retry::WishSaveFailed{saved.error()});
                       }
                   });
}

void JournalEffects::perform(const retry::SaveConflict& effect)
{
    m_journal.call([effect](retry::Journal& journal) { return journal.saveConflict(effect.id, effect.lease, effect.cause); },
                   [](const Result<void, JournalError>& /*the same facts lead to the same conflict*/) {});
}

void JournalEffects::perform(const retry::AdoptHolder& effect)
{
    m_journal.call([effect](retry::Journal& journal) { return journal.adopt(effect.own, effect.lease, effect.holder); },
                   [this](const Result<retry::StoredAction, JournalError>& adopted) {
                       if (adopted) {
                           m_host.step(retry::Adopted{*adopted});
                       } else {
                           m_host.step(retry::AdoptFailed{adopted.error()});
                       }
                   });
}

void JournalEffects::perform(const retry::MarkSeen& effect)
{
    m_journal.call([effect](retry::Journal& journal) { return journal.markSeen(effect.id, effect.lease); },
                   [](const Result<void, JournalError>& /*it is shown once more*/) {});
}

} // namespace payonce::runner
