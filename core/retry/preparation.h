// Preparation: from the press to save 2, which brings the first attempt's row along. Nothing of the payment can be sent before
// it is through (invariant 1).
#pragma once

#include "retry/confirmation.h"

namespace payonce::retry {

class Preparation
{
public:
    Preparation(StepContext& context, Confirmation& confirmation) : m_context(context), m_confirmation(confirmation) {}

    void pay(const PayPressed& event);
    void tryAgain();
    /// Found at start; nothing was ever sent.
    void resumeUnsent();

    /// Nothing more is done for the current action.
    void stop();

    void actionSaved(const ActionSaved& event);
    void actionSaveFailed(const ActionSaveFailed& event);
    void cardExchanged(const CardExchanged& event);
    void nextExchange();
    void readySaved(const ReadySaved& event);
    void readySaveFailed(const ReadySaveFailed& event);
    void reread(const JournalReread& event);

private:
    enum class Awaiting { Nothing, ActionSave, Exchange, NextExchange, ReadySave, Reread };

    void saveAction();
    void exchange();
    void saveReady();
    void notStarted(Cause cause, std::string detail = {});
    void tellNotStarted(Cause cause);
    /// Rows that may be durable although their save failed: this process sent nothing under them.
    void disownRows(const JournalReread& event);
    [[nodiscard]] bool isPerhapsReady() const;
    /// The card is gone, so the person must enter one again.
    [[nodiscard]] bool needsCard() const;

    StepContext& m_context;
    Confirmation& m_confirmation;
    Awaiting m_awaiting = Awaiting::Nothing;
    std::optional<CardToken> m_token;  ///< of the current action, once exchanged
    std::optional<std::string> m_body; ///< of the current action, where it needs no card
    bool m_perhapsReady = false;       ///< save 2 failed and the journal could not be read
    AttemptStart m_row;                ///< that save 2 brings along
    int m_exchanges = 0;
    int m_strayExchanges = 0; ///< under way for an action that this process does nothing for any more
    int m_mints = 0;
};

} // namespace payonce::retry
