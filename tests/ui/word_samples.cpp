#include "ui/word_samples.h"

#include "ui/samples.h"
#include "values/check.h"

namespace payonce::tests {

namespace {

using retry::Cause;
using retry::Snapshot;
using retry::State;

constexpr int kStates = static_cast<int>(State::Conflict) + 1;
constexpr int kCauses = static_cast<int>(Cause::TooOld) + 1;

Snapshot spoken(Speaker speaker, Snapshot snapshot)
{
    if (!snapshot.action)
        return snapshot;
    auto& action = *snapshot.action;
    switch (speaker) {
    case Speaker::Payment: return snapshot;
    case Speaker::AdoptedPayment:
        action.adopted = true;
        snapshot.anyByteTaken = true;
        snapshot.attempt = 0;
        return snapshot;
    case Speaker::Account: action.target = {retry::Kind::Account, "/v1/accounts"}; break;
    case Speaker::Request: action.target = {retry::Kind::Other, "/v1/orders/ord_1/receipt"}; break;
    }
    action.purchase.amount.minorUnits = 0;
    snapshot.answer.orderNumber.clear();
    snapshot.answer.charged.reset();
    return snapshot;
}

bool isOfCards(const StateAndCause& at)
{
    return at.state == State::NotStarted && (at.cause == Cause::ShopUnreachable || at.cause == Cause::CardRefused);
}

bool isOfCarts(const StateAndCause& at)
{
    return at.cause == Cause::CartTaken || at.cause == Cause::WrongAmount;
}

/// Nothing is sent of another's payment, so nothing of it is refused, spent, or closed for its time.
bool isOfOwnPosts(const StateAndCause& at)
{
    const bool ofFence = at.state == State::Fencing && (at.cause == Cause::Refused || at.cause == Cause::Expired);
    const bool ofEnd = at.state == State::Cancelled && (at.cause == Cause::CartTaken || at.cause == Cause::ClockWrong);
    return ofFence || ofEnd || at.cause == Cause::NeverSent || at.cause == Cause::AttemptsSpent;
}

bool isBeforeSending(State state)
{
    return state == State::Saving || state == State::NotStarted || state == State::Sending || state == State::Offline ||
           state == State::RetryWait;
}

bool canBe(Speaker speaker, const StateAndCause& at)
{
    switch (speaker) {
    case Speaker::Payment: return true;
    case Speaker::AdoptedPayment: return !isBeforeSending(at.state) && at.state != State::NotCharged && !isOfOwnPosts(at);
    case Speaker::Account:
    case Speaker::Request: return !isOfCards(at) && !isOfCarts(at);
    }
    return false;
}

/// Collects the samples of one speaker.
class Samples
{
public:
    explicit Samples(Speaker speaker) : m_speaker(speaker) {}

    [[nodiscard]] const std::vector<WordSample>& all() const { return m_all; }

    void addStates()
    {
        for (const auto& at : everyStateAndCause())
            if (canBe(m_speaker, at))
                add(QString(), sampleSnapshot(at.state, at.cause));
    }

    void addVariants()
    {
        add(QStringLiteral("for 10 s"), longer(State::Confirming));
        add(QStringLiteral("for 10 s"), longer(State::Fencing, Cause::ByPerson));
        addClosed();
        if (m_speaker == Speaker::AdoptedPayment)
            return addAdopted();
        add(QStringLiteral("before any byte left"), unsent(State::RetryWait));
        auto refused = sampleSnapshot(State::NotCharged, Cause::Refused);
        refused.answer.detail.clear();
        add(QStringLiteral("without a word of the shop"), refused);
        add(QStringLiteral("ended before this start"), earlier(sampleSnapshot(State::Paid)));
        if (m_speaker == Speaker::Payment)
            addPayment();
        else
            add(QString(), sampleSnapshot(State::NotStarted));
    }

private:
    void add(const QString& more, const Snapshot& snapshot)
    {
        QString when = QString::fromLatin1(retry::nameOf(snapshot.state));
        if (snapshot.cause != Cause::None)
            when += QStringLiteral(", ") + QString::fromLatin1(retry::nameOf(snapshot.cause));
        if (!more.isEmpty())
            when += QStringLiteral(", ") + more;
        m_all.push_back({m_speaker, when, spoken(m_speaker, snapshot)});
    }

    void addClosed()
    {
        auto closed = sampleSnapshot(State::Cancelled, Cause::Closed);
        closed.action->wish = retry::CancelWish{Cause::Expired, {}};
        add(QStringLiteral("by the app after its time"), closed);
        closed.action->wish = retry::CancelWish{Cause::ByPerson, {}};
        add(QStringLiteral("by a person"), closed);
    }

    void addAdopted()
    {
        auto paid = sampleSnapshot(State::Paid);
        paid.answer.orderNumber.clear();
        paid.answer.charged.reset();
        add(QStringLiteral("with neither number nor amount"), paid);
    }

    void addPayment()
    {
        add(QString(), sampleSnapshot(State::NotStarted));
        auto left = sampleSnapshot(State::NotStarted, Cause::LeftUnsent);
        left.action->ready = retry::PreparedRequest{{"pm_1", "visa", "4242"}, "{}", "00"};
        add(QStringLiteral("with its card"), left);
        auto refused = sampleSnapshot(State::NotStarted, Cause::CardRefused);
        refused.detail = "The number is not a card's.";
        add(QStringLiteral("with a word of the shop"), refused);
        auto paid = sampleSnapshot(State::Paid);
        paid.answer.orderNumber.clear();
        paid.answer.charged.reset();
        add(QStringLiteral("with neither number nor amount"), paid);
        for (const char* code : {"expired_card", "incorrect_cvc", "processing_error", "generic_decline", ""}) {
            auto declined = sampleSnapshot(State::Declined);
            declined.answer.declineCode = code;
            add(*code == 0 ? QStringLiteral("without a code that is known here") : QString::fromLatin1(code), declined);
        }
        add(QStringLiteral("after the shop's own refusal, for 10 s"), longer(State::Fencing, Cause::Refused));
    }

    static Snapshot longer(State state, Cause cause = Cause::None)
    {
        auto snapshot = sampleSnapshot(state, cause);
        snapshot.isLong = true;
        return snapshot;
    }

    static Snapshot unsent(State state)
    {
        auto snapshot = sampleSnapshot(state);
        snapshot.anyByteTaken = false;
        return snapshot;
    }

    static Snapshot earlier(Snapshot snapshot)
    {
        snapshot.presses = 0;
        snapshot.startedAt.reset();
        return snapshot;
    }

    Speaker m_speaker;
    std::vector<WordSample> m_all;
};

/// Nothing was sent by what these say of themselves.
bool saysUnsent(State state, Cause cause)
{
    return state == State::Saving || state == State::NotStarted || (state == State::Cancelled && cause == Cause::NeverSent);
}

} // namespace

std::vector<Speaker> everySpeaker()
{
    return {Speaker::Payment, Speaker::AdoptedPayment, Speaker::Account, Speaker::Request};
}

QString nameOf(Speaker speaker)
{
    switch (speaker) {
    case Speaker::Payment: return QStringLiteral("payment");
    case Speaker::AdoptedPayment: return QStringLiteral("adopted payment");
    case Speaker::Account: return QStringLiteral("account");
    case Speaker::Request: return QStringLiteral("request");
    }
    return {};
}

std::vector<WordSample> everyWordSample()
{
    std::vector<WordSample> all;
    for (const Speaker speaker : everySpeaker()) {
        Samples samples(speaker);
        samples.addStates();
        samples.addVariants();
        all.insert(all.end(), samples.all().begin(), samples.all().end());
    }
    return all;
}

std::vector<Snapshot> everySnapshotOf(Speaker speaker)
{
    std::vector<Snapshot> all;
    for (int state = 0; state < kStates; ++state) {
        for (int cause = 0; cause < kCauses; ++cause) {
            for (const bool anyByteTaken : {false, true}) {
                for (const bool isLong : {false, true}) {
                    auto snapshot = spoken(speaker, sampleSnapshot(static_cast<State>(state), static_cast<Cause>(cause)));
                    if (anyByteTaken ? saysUnsent(snapshot.state, snapshot.cause) : speaker == Speaker::AdoptedPayment)
                        continue;
                    snapshot.anyByteTaken = anyByteTaken;
                    snapshot.isLong = isLong;
                    all.push_back(snapshot);
                }
            }
        }
    }
    return all;
}

} // namespace payonce::tests
