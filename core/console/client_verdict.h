// The verdict on somebody else's client: what it did with each purchase (docs/faults.md, Judging a client).
#pragma once

#include "console/purchase.h"
#include "console/verdict.h"

#include <cstdint>
#include <string>
#include <vector>

namespace payonce::console {

/// Something the client did wrong, in a sentence that names its requests and keys.
struct Finding
{
    VerdictCode code = VerdictCode::NotCharged;
    std::string words;
    std::vector<std::uint64_t> requests; ///< their numbers
};

struct PurchaseVerdict
{
    Purchase purchase;
    VerdictCode code = VerdictCode::NotCharged; ///< the worst finding; without one, whether it was charged
    std::vector<Finding> findings;              ///< worst first
    std::vector<std::string> notes;             ///< what is worth knowing, and not held against the client
};

/// Only what is seen at the shop's end of the wire, and in the bank's books. `sightings` outlive the result.
[[nodiscard]] std::vector<PurchaseVerdict> judgeClient(const std::vector<Sighting>& sightings,
                                                       const std::vector<SightedCharge>& charges);

/// "the connection was lost before the whole answer", "answered 409": how a request ended.
[[nodiscard]] std::string endInWords(const Sighting& sighting);

} // namespace payonce::console
