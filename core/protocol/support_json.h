// Support on the wire (docs/contract.md, Support): look-ups and the answer to a deed, as the server writes them.
#pragma once

#include "console/support_view.h"

#include <string>

namespace payonce::protocol {

/// `GET /v1/support/actions?q=`
[[nodiscard]] std::string renderSupportPage(const console::SupportPage& page);
/// `GET /v1/support/actions/{id}`
[[nodiscard]] std::string renderSupportView(const console::SupportView& view);

/// What a deed answers, now and ever after.
struct SupportDone
{
    values::ActionId id; ///< of the deed
    console::SupportDeed deed = console::SupportDeed::Note;
    values::ActionId target;
    std::string words;
    std::string email; ///< of Unmask, in clear
};
/// `POST /v1/support/actions/{id}/{do}`
[[nodiscard]] std::string renderSupportDone(const SupportDone& done);

} // namespace payonce::protocol
