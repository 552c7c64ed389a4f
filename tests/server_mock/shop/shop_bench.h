// One shop of a test: real sockets, real databases in a temporary directory, the real bank behind a gate.
#pragma once

#include "gated_bank.h"
#include "held_points.h"
#include "http/listener.h"
#include "shop/shop.h"
#include "shop/shop_ledger_source.h"
#include "support/http_call.h"
#include "support/shop_requests.h"
#include "support/shop_rows.h"

#include <QtCore/QTemporaryDir>

#include <memory>
#include <string>
#include <vector>

namespace payonce::shop {

/// Long enough for a loaded machine; a test that waits this long has failed.
inline constexpr int kPatienceMs = 60'000;
inline constexpr const char* kToken = "token-of-account-one";
inline constexpr const char* kOtherToken = "token-of-account-two";
inline constexpr const char* kWebhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
inline constexpr const char* kSupportToken = "token-of-support";
inline constexpr const char* kSupportActToken = "token-of-support-that-acts";

using support::Payment;

class ShopBench
{
public:
    /// How often its outbox is looked at.
    static constexpr std::chrono::milliseconds kOutboxEvery{20};

    explicit ShopBench(const idempotency::LedgerNumbers& numbers = {}, int rateLimit = 0,
                       protocol::KeyForm keys = protocol::KeyForm::UuidV7);

    /// Opens the databases of the directory and begins to listen; also again after stop().
    [[nodiscard]] bool start();
    void stop();

    /// A request of account one; `headers` come besides its token.
    [[nodiscard]] std::unique_ptr<support::HttpCall> send(const QByteArray& method, const QByteArray& path,
                                                          const http::Headers& headers = {}, const QByteArray& body = {},
                                                          const QByteArray& token = kToken);
    [[nodiscard]] std::unique_ptr<support::HttpCall> pay(const values::ActionId& id, const Payment& payment,
                                                         const http::Headers& headers = {});
    /// The same, and it stands still at this point. Fails the program where it does not come there.
    [[nodiscard]] std::unique_ptr<support::HttpCall> payHeldAt(console::Point point, const values::ActionId& id,
                                                               const Payment& payment, const http::Headers& headers = {});
    [[nodiscard]] std::unique_ptr<support::HttpCall> look(const values::ActionId& id, const http::Headers& headers = {},
                                                          const QByteArray& token = kToken);
    [[nodiscard]] std::unique_ptr<support::HttpCall> abandon(const values::ActionId& id, const http::Headers& headers = {},
                                                             const QByteArray& token = kToken);
    /// An event of the bank, signed with the shared secret at the shop's time and `moved`.
    [[nodiscard]] std::unique_ptr<support::HttpCall> tell(const idempotency::BankEvent& event,
                                                          std::chrono::seconds moved = std::chrono::seconds(0));
    /// A sign-up of this address by somebody named A, valid for ten minutes; the same bytes each time of a test.
    [[nodiscard]] std::unique_ptr<support::HttpCall>
    signUp(const values::ActionId& id, const QByteArray& email = "a@example.com", const QByteArray& token = kToken);
    /// GET of the action's path with `rest` behind it; POST where `rest` is another part of the path.
    [[nodiscard]] support::HttpAnswer ask(const values::ActionId& id, const QByteArray& rest = {});
    /// Rows of the database, read from outside.
    [[nodiscard]] QList<QByteArray> accounts() const { return support::accountsIn(shopFile()); }
    [[nodiscard]] QList<QByteArray> mails() const { return support::mailsAskedForIn(shopFile()); }
    /// As the shop has it now. Fails the program where there is none.
    [[nodiscard]] idempotency::KeyRecord recordOf(const values::ActionId& id);
    /// Support's look-up of one action, and a deed with its own key.
    [[nodiscard]] std::unique_ptr<support::HttpCall> supportLook(const values::ActionId& id);
    [[nodiscard]] std::unique_ptr<support::HttpCall> supportAct(const values::ActionId& deedId, const values::ActionId& target,
                                                                const QByteArray& deed, const QByteArray& reason = "asked",
                                                                const QByteArray& token = kSupportActToken);
    /// Who, what, about which action, why; in the order it was written.
    [[nodiscard]] std::vector<std::vector<std::string>> auditRows() const;
    /// The accounts of those rows.
    [[nodiscard]] std::vector<std::string> auditAccounts() const;
    /// Another program has the bank's file for itself, as long as what is returned lives: the bank is silent.
    [[nodiscard]] std::shared_ptr<void> lockBank() const;
    /// An action that was made at the shop's time.
    [[nodiscard]] values::ActionId newActionNow() const;
    /// Another program changes the shop's or the bank's file.
    void changeShop(const QStringList& statements) const;
    void changeBank(const QStringList& statements) const;
    /// Waits for it. Fails the program where none comes.
    [[nodiscard]] static support::HttpAnswer answerOf(const std::unique_ptr<support::HttpCall>& call);
    /// A token for a card of account one.
    [[nodiscard]] QByteArray exchangeCard(const QByteArray& number = support::kGoodCard);
    /// 42.00 EUR for the cart of the shop, by a good card, valid for ten minutes.
    [[nodiscard]] Payment newPayment(const QByteArray& number = support::kGoodCard);

    [[nodiscard]] std::vector<bank::ChargeEntry> charges();
    [[nodiscard]] faults::LedgerView view() { return viewOf(*m_source); }
    [[nodiscard]] static faults::LedgerView viewOf(ShopLedgerSource& source);
    /// Another one, which reads less.
    [[nodiscard]] std::unique_ptr<ShopLedgerSource> sourceWithin(const ReadingBounds& bounds);

    /// From now on every write to the shop's database fails; with Writes::Work they work again.
    enum class Writes { Fail, Work };
    void letWrites(Writes writes) const;
    /// The same for one kind of statement: `INSERT ON orders`.
    void letWrites(const QString& place, Writes writes) const;
    /// Another program takes a table away; nothing can be listed any more.
    void dropOrders() const;

    /// Moves the wall clock alone, as a person does, or both clocks, as time does.
    void moveWallClock(std::chrono::milliseconds by) { m_wallMoved += by; }
    void letTimePass(std::chrono::milliseconds time);

    [[nodiscard]] static values::ActionId newAction();
    [[nodiscard]] static QByteArray bodyOf(const Payment& payment);
    [[nodiscard]] static QByteArray signUpBodyFor(const QByteArray& email);
    /// The same content in other bytes: members in another order, white space.
    [[nodiscard]] static QByteArray respelledBodyOf(const Payment& payment);
    [[nodiscard]] static http::Headers keyOf(const values::ActionId& id);

    [[nodiscard]] quint16 port() const { return m_listener->port(); }
    [[nodiscard]] HeldPoints& points() { return m_points; }
    [[nodiscard]] GatedBank& bank() { return *m_gate; }
    [[nodiscard]] ShopLedgerSource& source() { return *m_source; }
    [[nodiscard]] Shop& shop() { return *m_shop; }
    [[nodiscard]] const http::Listener& listener() const { return *m_listener; }
    [[nodiscard]] LedgerWriter& writer() { return *m_writer; }
    [[nodiscard]] QString shopFile() const { return m_dir.filePath(QStringLiteral("shop.sqlite")); }
    [[nodiscard]] const std::vector<std::string>& warnings() const { return m_warnings; }
    [[nodiscard]] values::WallTime time() const;

private:
    QTemporaryDir m_dir;
    idempotency::LedgerNumbers m_numbers;
    HeldPoints m_points;
    std::vector<std::string> m_warnings;
    std::unique_ptr<bank::LedgerBank> m_bank;
    std::unique_ptr<GatedBank> m_gate;
    std::unique_ptr<LedgerWriter> m_writer;
    std::unique_ptr<Shop> m_shop;
    std::unique_ptr<ShopLedgerSource> m_source;
    std::unique_ptr<http::Listener> m_listener;
    int m_rateLimit;
    protocol::KeyForm m_keys;
    int m_starts = 0;
    std::chrono::milliseconds m_wallMoved{0};
    std::chrono::milliseconds m_passed{0};
};

} // namespace payonce::shop
