#include "runner/card_keeper.h"

namespace payonce::runner {

namespace {

/// Through a volatile pointer, so that the compiler cannot leave it out.
void overwrite(std::string& text)
{
    volatile char* data = text.data();
    for (std::size_t index = 0; index < text.size(); ++index) {
        data[index] = '\0'; // NOLINT(cppcoreguidelines-pro-bounds-pointer-arithmetic)
    }
    text.clear();
}

} // namespace

CardKeeper::~CardKeeper()
{
    drop();
}

void CardKeeper::keep(const retry::Card& card)
{
    drop();
    m_card = card;
}

void CardKeeper::drop()
{
    if (m_card) {
        overwrite(m_card->number);
        overwrite(m_card->securityCode);
        m_card.reset();
    }
}

} // namespace payonce::runner
