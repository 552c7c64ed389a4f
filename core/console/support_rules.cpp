#include "console/support_rules.h"

#include <array>

namespace payonce::console {

namespace {

using values::RecordState;

constexpr std::array kDeeds = {SupportDeed::AskBank,       SupportDeed::FinishOrder, SupportDeed::Close,
                               SupportDeed::ResendReceipt, SupportDeed::Note,        SupportDeed::Unmask};

bool isOpen(const Standing& standing)
{
    return standing.state && !values::isTerminal(*standing.state);
}

std::string moneyText(const Standing& standing)
{
    if (!standing.amount)
        return {};
    return " of " + values::toDecimal(*standing.amount) + ' ' + std::string(standing.amount->currency.code());
}

std::string notCharged(const Standing& standing)
{
    if (!standing.state)
        return "We have not received this payment, and nothing was charged. It can still reach us: let us close it before you "
               "pay again.";
    if (*standing.state == RecordState::Failed)
        return "The card was declined. You were not charged. You can pay with another card.";
    if (*standing.state == RecordState::Succeeded)
        return "Our records say that you paid, but the bank has no charge for it. We are looking into it; you have nothing to "
               "do.";
    return "This payment was closed before anything was charged, and it can never be charged now. You can pay again.";
}

std::string signUp(const Standing& standing)
{
    if (standing.state == RecordState::Succeeded)
        return "Your account is ready. See your mail. Nothing is charged for it.";
    return "This sign-up did not take place. You can sign up again. Nothing is charged for it.";
}

std::string contradicted(const Standing& standing, const std::string& money)
{
    if (standing.order == OrderStanding::Paid)
        return "Your payment" + money + " went through and your order number is " + standing.orderNumber +
               ", but the bank has told us something else besides. We are looking into it; please do not pay again.";
    return "Your payment" + money +
           " went through, but your order was cancelled. We will put that right; please do not pay again.";
}

bool isAskedOfTheBank(SupportDeed deed)
{
    return deed == SupportDeed::FinishOrder || deed == SupportDeed::Close;
}

std::string whyNotAsk(const Standing& standing)
{
    if (isOpen(standing))
        return {};
    if (!standing.hasBankKey && standing.order == OrderStanding::None) // each order was the bank's to charge, purged or not
        return "The bank was never asked about this action, so there is nothing to ask again.";
    return "This action has ended, and nothing the bank says can change it.";
}

std::string whyNotFinish(const Standing& standing)
{
    if (standing.charges == 0)
        return "The bank has no charge for this action; there is nothing to finish the order from.";
    if (standing.order == OrderStanding::Paid)
        return "The order is finished already.";
    if (standing.charges > 1)
        return "The bank charged this action more than once. Settle that with the bank first.";
    if (standing.order == OrderStanding::None)
        return "The shop has no order for this action.";
    if (!standing.cartHolder.empty())
        return "The same cart was ordered again with payment " + standing.cartHolder + ". Two orders of one cart must not be.";
    return {};
}

std::string whyNotClose(const Standing& standing)
{
    if (standing.charges > 0)
        return "The bank has charged this action. Finish the order instead.";
    if (!standing.state || isOpen(standing))
        return {};
    return "This action has ended already; nothing can happen under its ID any more.";
}

std::string whyNotResend(const Standing& standing)
{
    if (standing.order != OrderStanding::Paid)
        return "There is no receipt, because the order is not paid.";
    return standing.hasEmail ? std::string() : "The customer's e-mail is not kept any longer.";
}

} // namespace

std::string_view nameOf(SupportDeed deed)
{
    switch (deed) {
    case SupportDeed::AskBank: return "ask-bank";
    case SupportDeed::FinishOrder: return "finish-order";
    case SupportDeed::Close: return "close";
    case SupportDeed::ResendReceipt: return "resend-receipt";
    case SupportDeed::Note: return "note";
    case SupportDeed::Unmask: return "unmask";
    }
    return "";
}

std::optional<SupportDeed> supportDeedOf(std::string_view name)
{
    for (const auto deed : kDeeds)
        if (nameOf(deed) == name)
            return deed;
    return {};
}

std::string_view nameOf(OrderStanding standing)
{
    switch (standing) {
    case OrderStanding::None: return "none";
    case OrderStanding::Open: return "open";
    case OrderStanding::Paid: return "paid";
    case OrderStanding::Closed: return "closed";
    }
    return "";
}

VerdictCode verdictOf(const Standing& standing)
{
    if (standing.isBankSilent && standing.isPayment)
        return VerdictCode::UnknownBeingChecked;
    ActionFacts facts;
    facts.charges = standing.charges;
    facts.orderPaid = standing.order == OrderStanding::Paid;
    facts.orderClosed = standing.order == OrderStanding::Closed;
    facts.recordOpen = isOpen(standing);
    facts.hasDiscrepancy = standing.hasDiscrepancy;
    return judge(facts);
}

std::string customerSentence(const Standing& standing)
{
    const std::string money = moneyText(standing);
    if (!standing.isPayment)
        return signUp(standing);
    switch (verdictOf(standing)) {
    case VerdictCode::NotCharged: return notCharged(standing);
    case VerdictCode::ChargedOnce:
        return "Your payment" + money + " went through, once. Your order number is " + standing.orderNumber + '.';
    case VerdictCode::UnknownBeingChecked:
        return "We are asking the bank whether your payment" + money +
               " went through. It cannot be charged twice; please do not pay again.";
    case VerdictCode::ChargedOrderOpen:
        return "Your payment" + money + " went through, but your order is not finished yet. Please do not pay again.";
    case VerdictCode::ChargedOrderCancelled: return contradicted(standing, money);
    case VerdictCode::ChargedTwice:
        return "Your payment" + money + " was charged more than once. That is our mistake, and we will put it right.";
    case VerdictCode::IgnoredRetryAfter:
    case VerdictCode::ResentBelowApplication:
    case VerdictCode::GaveUpThoughCharged:
    case VerdictCode::FreshKeyOnRetry: break; // of a judged client, which support does not know
    }
    return {};
}

std::string unsafeBecause(SupportDeed deed, const Standing& standing)
{
    const bool isAboutMoney = deed == SupportDeed::AskBank || deed == SupportDeed::FinishOrder || deed == SupportDeed::Close ||
                              deed == SupportDeed::ResendReceipt;
    if (isAboutMoney && !standing.isPayment)
        return "This is a sign-up, not a payment.";
    if (standing.isBankSilent && isAskedOfTheBank(deed))
        return "The bank does not answer now, so nobody knows whether it has charged this action.";
    switch (deed) {
    case SupportDeed::AskBank: return whyNotAsk(standing);
    case SupportDeed::FinishOrder: return whyNotFinish(standing);
    case SupportDeed::Close: return whyNotClose(standing);
    case SupportDeed::ResendReceipt: return whyNotResend(standing);
    case SupportDeed::Note: return {};
    case SupportDeed::Unmask: return standing.hasEmail ? std::string() : "There is no e-mail, or it is not kept any longer.";
    }
    return {};
}

std::vector<Permission> permissionsOf(const Standing& standing)
{
    std::vector<Permission> permissions;
    permissions.reserve(std::size(kDeeds));
    for (const auto deed : kDeeds)
        permissions.push_back({deed, unsafeBecause(deed, standing)});
    return permissions;
}

} // namespace payonce::console
