// CardKeeper: the card between the press and the token, in memory only.
#pragma once

#include "retry/transport.h"

#include <optional>

namespace payonce::runner {

/// Overwrites the digits when the card is dropped or replaced. Best effort: copies made by the network stack are its own.
class CardKeeper
{
public:
    CardKeeper() = default;
    CardKeeper(const CardKeeper&) = delete;
    CardKeeper& operator=(const CardKeeper&) = delete;
    CardKeeper(CardKeeper&&) = delete;
    CardKeeper& operator=(CardKeeper&&) = delete;
    ~CardKeeper();

    void keep(const retry::Card& card);
    void drop();
    [[nodiscard]] const std::optional<retry::Card>& card() const { return m_card; }

private:
    std::optional<retry::Card> m_card;
};

} // namespace payonce::runner
