// Every object name of the windows, declared once. docs/automation.md lists them for people who automate.
#pragma once

#include <QtCore/QLatin1String>

#include <array>

namespace payonce::widgets::names {

inline constexpr QLatin1String kCheckout("checkout");
inline constexpr QLatin1String kNote("checkout.note");
inline constexpr QLatin1String kPay("checkout.pay");
inline constexpr QLatin1String kNext("checkout.next");
inline constexpr QLatin1String kCancel("checkout.cancel");
inline constexpr QLatin1String kEmail("checkout.email");
inline constexpr QLatin1String kCardNumber("checkout.card.number");
inline constexpr QLatin1String kCardExpiry("checkout.card.expiry");
inline constexpr QLatin1String kCardCode("checkout.card.cvc");
inline constexpr QLatin1String kState("checkout.state");
inline constexpr QLatin1String kDetail("checkout.detail");
inline constexpr QLatin1String kAssurance("checkout.assurance");
inline constexpr QLatin1String kStatus("checkout.status");
inline constexpr QLatin1String kCountdown("checkout.countdown");
inline constexpr QLatin1String kAmount("checkout.amount");
inline constexpr QLatin1String kAttempt("checkout.attempt");
inline constexpr QLatin1String kReference("checkout.reference");
inline constexpr QLatin1String kCopy("checkout.copy");
inline constexpr QLatin1String kOrderNumber("checkout.order");
inline constexpr QLatin1String kTotal("checkout.total");
inline constexpr QLatin1String kCartState("checkout.cart");
inline constexpr QLatin1String kReload("checkout.reload");

/// All of them, for the test that walks the windows.
inline constexpr std::array kAll = {
    kCheckout,  kNote,   kPay,       kNext,   kCancel,  kEmail,     kCardNumber, kCardExpiry,  kCardCode, kState,     kDetail,
    kAssurance, kStatus, kCountdown, kAmount, kAttempt, kReference, kCopy,       kOrderNumber, kTotal,    kCartState, kReload,
};

} // namespace payonce::widgets::names
