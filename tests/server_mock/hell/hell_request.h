// Requests that no decent client sends, and what the contract (docs/contract.md) says to each.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QMetaType>

namespace payonce::tests {

/// What becomes of the connection after the last answer.
enum class Fate { Kept, Closed };

struct HellRequest
{
    const char* name = "";
    QByteArray bytes;
    int status = 400;
    QByteArray code = "body-invalid"; ///< of the problem; empty: a plain answer
    Fate fate = Fate::Closed;
    int charges = 0; ///< rows that the bank has more of afterwards
    int answers = 1; ///< whole answers on the connection, all of them with `status`
};

/// Who sends them: a customer of a real server, with a good token and a good card.
struct Sender
{
    QByteArray token;
    QByteArray paymentMethod;
};

/// A good payment of 42.00 EUR for a cart of its own.
[[nodiscard]] QByteArray goodBody(const Sender& sender);
/// POST /v1/payments; `lines` are further header lines, each with its CR LF.
[[nodiscard]] QByteArray payment(const Sender& sender, const QByteArray& lines, const QByteArray& body);
/// An `Idempotency-Key` line with a fresh key.
[[nodiscard]] QByteArray keyLine();

/// What is wrong with lines, lengths and codings.
[[nodiscard]] QList<HellRequest> badFraming(const Sender& sender);
/// Methods, targets and versions.
[[nodiscard]] QList<HellRequest> badTargets(const Sender& sender);
/// Good requests in uncommon forms: they must work.
[[nodiscard]] QList<HellRequest> oddButGood(const Sender& sender);
[[nodiscard]] QList<HellRequest> badKeys(const Sender& sender);
[[nodiscard]] QList<HellRequest> badBodies(const Sender& sender);

} // namespace payonce::tests

Q_DECLARE_METATYPE(payonce::tests::HellRequest)
