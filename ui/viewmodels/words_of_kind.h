// WordsOfKind: the words of one kind of action. A kind that leaves out a state does not compile.
#pragma once

#include "viewmodels/words.h"

namespace payonce::viewmodels {

/// `snapshot` must outlive it.
class WordsOfKind
{
public:
    explicit WordsOfKind(const retry::Snapshot& snapshot) : m_snapshot(snapshot) {}
    WordsOfKind(const WordsOfKind&) = delete;
    WordsOfKind& operator=(const WordsOfKind&) = delete;
    virtual ~WordsOfKind() = default;

    /// Without the key.
    [[nodiscard]] Words words() const;
    [[nodiscard]] virtual QString heading() const = 0;
    /// *Cancel*, as a button.
    [[nodiscard]] virtual QString cancel() const = 0;
    /// The same, of what was left unsent.
    [[nodiscard]] virtual QString discard() const = 0;
    /// A countdown.
    [[nodiscard]] virtual QString nextTryIn(std::int64_t seconds) const = 0;
    [[nodiscard]] virtual QString tryingNow() const = 0;
    /// Stands before how it ended, where that is shown by a later process than the one in which it ended.
    [[nodiscard]] virtual QString endedEarlier(const QString& begun) const = 0;

protected:
    [[nodiscard]] virtual Words saving() const = 0;
    [[nodiscard]] virtual Words notStarted() const = 0;
    [[nodiscard]] virtual Words sending() const = 0;
    [[nodiscard]] virtual Words confirming() const = 0;
    [[nodiscard]] virtual Words serverWorking() const = 0;
    [[nodiscard]] virtual Words retryWait() const = 0;
    [[nodiscard]] virtual Words offline() const = 0;
    [[nodiscard]] virtual Words offlineUnknown() const = 0;
    [[nodiscard]] virtual Words paid() const = 0;
    [[nodiscard]] virtual Words declined() const = 0;
    [[nodiscard]] virtual Words notCharged() const = 0;
    [[nodiscard]] virtual Words fencing() const = 0;
    [[nodiscard]] virtual Words cancelled() const = 0;
    [[nodiscard]] virtual Words unresolved() const = 0;
    [[nodiscard]] virtual Words conflict() const = 0;

    [[nodiscard]] const retry::Snapshot& snapshot() const { return m_snapshot; }
    [[nodiscard]] retry::Cause cause() const { return m_snapshot.cause; }
    [[nodiscard]] QString reference() const;
    /// A time of this computer's zone; empty without an action.
    [[nodiscard]] QString validUntil() const;
    /// Its time was over, by the shop's word or because that is why it was closed.
    [[nodiscard]] bool isExpired() const;
    [[nodiscard]] bool isWishOfPerson() const;

    /// Something is under way, and there is nothing to press.
    [[nodiscard]] static Words working(const QString& title, const QString& sentence, const QString& assurance);

private:
    const retry::Snapshot& m_snapshot;
};

} // namespace payonce::viewmodels
