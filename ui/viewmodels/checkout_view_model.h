// CheckoutViewModel: everything the checkout window says and offers, as values; no widget, colour or dialog.
#pragma once

#include "viewmodels/card_form.h"
#include "viewmodels/cart.h"
#include "viewmodels/payment_control.h"
#include "viewmodels/progress.h"
#include "viewmodels/words.h"

#include <QtCore/QJsonObject>
#include <QtCore/QObject>

#include <optional>

namespace payonce::viewmodels {

enum class CartStatus { Loading, Loaded, Failed };

/// A button of the screen as automation is told of it.
struct ButtonFacts
{
    QString name; ///< object name: `checkout.pay`, `checkout.next` or `checkout.cancel`
    QString text;
    bool enabled = true;
    friend bool operator==(const ButtonFacts&, const ButtonFacts&) = default;
};

/// Lives on the GUI thread. `changed` fires after every change of a property, in the same event as its cause:
/// when `pay()` returns, the Pay button is disabled and reads "Processing…".
class CheckoutViewModel : public QObject
{
    Q_OBJECT
    Q_PROPERTY(QString stateName READ stateName NOTIFY changed)
    Q_PROPERTY(QString title READ title NOTIFY changed)
    Q_PROPERTY(QString sentence READ sentence NOTIFY changed)
    Q_PROPERTY(QString assurance READ assurance NOTIFY changed)
    Q_PROPERTY(QString sentenceKey READ sentenceKey NOTIFY changed)
    Q_PROPERTY(QString countdownText READ countdownText NOTIFY countdownChanged)
    Q_PROPERTY(QString payText READ payText NOTIFY changed)
    Q_PROPERTY(bool payEnabled READ isPayEnabled NOTIFY changed)
    Q_PROPERTY(bool payVisible READ isPayVisible NOTIFY changed)
    Q_PROPERTY(QString nextText READ nextText NOTIFY changed)
    Q_PROPERTY(QString cancelText READ cancelText NOTIFY changed)
    Q_PROPERTY(QString amountText READ amountText NOTIFY changed)
    Q_PROPERTY(QString attemptText READ attemptText NOTIFY changed)
    Q_PROPERTY(QString reference READ reference NOTIFY changed)
    Q_PROPERTY(QString orderNumber READ orderNumber NOTIFY changed)
    Q_PROPERTY(QString cartMessage READ cartMessage NOTIFY changed)
    Q_PROPERTY(QString stateJson READ stateJson NOTIFY stateJsonChanged)

public:
    /// `control` must outlive this. The cart begins as loading; whoever made this fetches it and calls showCart.
    explicit CheckoutViewModel(PaymentControl& control, QObject* parent = nullptr);

    [[nodiscard]] CardForm& form() { return m_form; }

    /// The cart has arrived. One that is not payable is shown as CartProblem::BadAnswer.
    void showCart(const Cart& cart);
    void showCartProblem(CartProblem problem);
    void showCartLoading();
    [[nodiscard]] CartStatus cartStatus() const { return m_cartStatus; }
    [[nodiscard]] const std::optional<Cart>& cart() const { return m_cart; }
    /// Why no cart is shown; empty when one is.
    [[nodiscard]] QString cartMessage() const;

    /// The form is shown (Editing with a usable journal); otherwise the status is.
    [[nodiscard]] bool isEditing() const;
    /// What stands above the form or the status.
    [[nodiscard]] QString heading() const;
    [[nodiscard]] QString stateName() const;
    [[nodiscard]] QString title() const { return m_words.title; }
    [[nodiscard]] QString sentence() const { return m_words.sentence; }
    /// The short sentence people look for: "You will not be charged twice."
    [[nodiscard]] QString assurance() const { return m_words.assurance; }
    [[nodiscard]] QString sentenceKey() const { return m_words.key; }
    [[nodiscard]] Mood mood() const { return m_words.mood; }
    [[nodiscard]] QString countdownText() const;

    [[nodiscard]] QString payText() const;
    [[nodiscard]] bool isPayEnabled() const;
    [[nodiscard]] bool isPayVisible() const;
    /// Empty: there is no next step to press.
    [[nodiscard]] QString nextText() const;
    /// The one button of the screen, if it has one.
    [[nodiscard]] std::optional<ButtonFacts> primary() const;
    /// The quiet way out (`checkout.cancel`); empty: it is not offered.
    [[nodiscard]] QString cancelText() const;
    /// What stands in the place of the button where there is none; may be empty.
    [[nodiscard]] QString idleText() const;
    /// What support needs to find this payment. Holds no card data.
    [[nodiscard]] QString supportText() const;

    /// Empty while there is no payment.
    [[nodiscard]] std::vector<Step> steps() const;
    /// Empty where it is not known: of another device's payment until the shop names it.
    [[nodiscard]] QString amountText() const;
    [[nodiscard]] QString attemptText() const;
    [[nodiscard]] QString reference() const;
    [[nodiscard]] QString orderNumber() const;
    /// One line of JSON, docs/automation.md; its revision only grows.
    [[nodiscard]] QString stateJson() const;

public Q_SLOTS:
    /// Pays with what is in the form. Does nothing unless Pay is enabled.
    void pay();
    /// Does what the button `checkout.next` says.
    void next();
    /// Does what `checkout.cancel` says, if it is offered.
    void cancel();
    /// Asks for the cart again: shows it as loading and emits cartWanted.
    void reloadCart();
    /// Time has passed: says so if the countdown reads differently now.
    void refreshCountdown();

Q_SIGNALS:
    void changed();
    void countdownChanged();
    void stateJsonChanged();
    /// Please fetch the cart and call showCart or showCartProblem.
    void cartWanted();
    /// Please put this on the clipboard.
    void copyWanted(const QString& text);
    /// "Done" was pressed: this purchase is over.
    void done();

private:
    [[nodiscard]] bool isCancelOffered() const;
    void refresh();
    [[nodiscard]] QJsonObject facts() const;
    [[nodiscard]] const retry::Snapshot& snapshot() const { return m_control.snapshot(); }
    [[nodiscard]] std::optional<values::Money> amount() const;

    PaymentControl& m_control;
    CardForm m_form;
    CartStatus m_cartStatus = CartStatus::Loading;
    CartProblem m_cartProblem = CartProblem::ShopUnreachable;
    std::optional<Cart> m_cart;
    std::optional<retry::JournalError> m_journalError;
    bool m_ready = false;
    Words m_words;
    QString m_countdown;
    QByteArray m_stateFacts;
    qint64 m_revision = 0;
};

} // namespace payonce::viewmodels
