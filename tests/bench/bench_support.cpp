#include "bench/bench_support.h"

#include "bench/support_load.h"

namespace payonce::bench {

namespace {

constexpr std::chrono::milliseconds kSearchMost{50};
constexpr std::chrono::milliseconds kStoryMost{100};

/// As a customer reads it out: the last eight digits of the ID.
QByteArray referenceOf(const KnownAction& action)
{
    const QByteArray digits = action.id.right(8).toUpper();
    return digits.left(4) + '-' + digits.right(4);
}

Figure told(const std::string& what, const LoadResult& result, std::chrono::milliseconds most)
{
    Figure figure = heldAgainst(what, result.times, 99, most);
    if (result.refused > 0) {
        figure.measured += ", REFUSED " + std::to_string(result.refused);
        figure.met = false;
    }
    return figure;
}

template <class Text> Figure searched(const SupportLoad& load, const std::string& by, Text textOf)
{
    QList<QByteArray> texts;
    for (const KnownAction& action : load.known())
        texts += textOf(action);
    return told("Search by " + by, load.search(texts), kSearchMost);
}

} // namespace

std::vector<Figure> benchSupport(int actions)
{
    const SupportLoad load(actions);
    const auto busy = load.knownOf(SupportLoad::busyEmail());
    return {searched(load, "reference", referenceOf),
            searched(load, "action", [](const KnownAction& action) { return action.id; }),
            searched(load, "order number", [](const KnownAction& action) { return action.order; }),
            searched(load, "charge", [](const KnownAction& action) { return action.charge; }),
            searched(load, "e-mail", [](const KnownAction& action) { return action.email; }),
            searched(load, "an e-mail with 1 % of all actions", [](const KnownAction&) { return SupportLoad::busyEmail(); }),
            searched(load, "last four", [](const KnownAction& action) { return action.lastFour; }),
            told("Timeline", load.look(load.known()), kStoryMost),
            told("Timeline, customer with 1 % of all actions", load.look(busy), kStoryMost)};
}

} // namespace payonce::bench
