#include "console/verdict.h"

#include <algorithm>
#include <array>

namespace payonce::console {

namespace {

constexpr std::array kCodes = {VerdictCode::NotCharged,
                               VerdictCode::ChargedOnce,
                               VerdictCode::IgnoredRetryAfter,
                               VerdictCode::ResentBelowApplication,
                               VerdictCode::UnknownBeingChecked,
                               VerdictCode::ChargedOrderOpen,
                               VerdictCode::ChargedOrderCancelled,
                               VerdictCode::GaveUpThoughCharged,
                               VerdictCode::FreshKeyOnRetry,
                               VerdictCode::ChargedTwice};

} // namespace

VerdictCode judge(const ActionFacts& facts)
{
    if (facts.charges > 1)
        return VerdictCode::ChargedTwice;
    if (facts.hasDiscrepancy || (facts.charges == 1 && facts.orderClosed && !facts.orderPaid))
        return VerdictCode::ChargedOrderCancelled;
    if (facts.recordOpen)
        return VerdictCode::UnknownBeingChecked;
    if (facts.charges == 1)
        return facts.orderPaid ? VerdictCode::ChargedOnce : VerdictCode::ChargedOrderOpen;
    return VerdictCode::NotCharged;
}

VerdictCode worst(const std::vector<ActionVerdict>& verdicts)
{
    auto total = VerdictCode::NotCharged;
    for (const auto& verdict : verdicts)
        total = std::max(total, verdict.code);
    return total;
}

std::string_view codeOf(VerdictCode code)
{
    switch (code) {
    case VerdictCode::NotCharged: return "not_charged";
    case VerdictCode::ChargedOnce: return "charged_once";
    case VerdictCode::IgnoredRetryAfter: return "ignored_retry_after";
    case VerdictCode::ResentBelowApplication: return "resent_below_application";
    case VerdictCode::UnknownBeingChecked: return "unknown_being_checked";
    case VerdictCode::ChargedOrderOpen: return "charged_order_open";
    case VerdictCode::ChargedOrderCancelled: return "charged_order_cancelled";
    case VerdictCode::GaveUpThoughCharged: return "gave_up_though_charged";
    case VerdictCode::FreshKeyOnRetry: return "fresh_key_on_retry";
    case VerdictCode::ChargedTwice: return "charged_twice";
    }
    return "";
}

std::optional<VerdictCode> verdictCodeOf(std::string_view code)
{
    for (const auto verdict : kCodes)
        if (codeOf(verdict) == code)
            return verdict;
    return {};
}

std::string_view phraseOf(VerdictCode code)
{
    switch (code) {
    case VerdictCode::NotCharged: return "not charged";
    case VerdictCode::ChargedOnce: return "charged once";
    case VerdictCode::IgnoredRetryAfter: return "ignored retry after";
    case VerdictCode::ResentBelowApplication: return "resent below application";
    case VerdictCode::UnknownBeingChecked: return "unknown, being checked";
    case VerdictCode::ChargedOrderOpen: return "charged but order not finished";
    case VerdictCode::ChargedOrderCancelled: return "charged but order cancelled";
    case VerdictCode::GaveUpThoughCharged: return "gave up though charged";
    case VerdictCode::FreshKeyOnRetry: return "fresh key on retry";
    case VerdictCode::ChargedTwice: return "charged twice";
    }
    return "";
}

std::string_view wordsOf(VerdictCode code)
{
    switch (code) {
    case VerdictCode::NotCharged: return "The bank has no charge for this payment.";
    case VerdictCode::ChargedOnce: return "The bank charged this payment once and the order is paid.";
    case VerdictCode::IgnoredRetryAfter: return "The client asked again sooner than the shop had told it to.";
    case VerdictCode::ResentBelowApplication:
        return "One attempt of the client came more than once: something below it sent the payment again.";
    case VerdictCode::UnknownBeingChecked:
        return "The shop does not know yet whether the bank charged this payment; it is asking.";
    case VerdictCode::ChargedOrderOpen: return "The bank charged this payment once, but the order is not marked paid.";
    case VerdictCode::ChargedOrderCancelled:
        return "The bank and the shop say different things about this payment: a person must look at it.";
    case VerdictCode::GaveUpThoughCharged: return "The bank charged this payment, and the client never heard of it.";
    case VerdictCode::FreshKeyOnRetry:
        return "The client sent the payment again under a fresh key, not knowing what had become of it.";
    case VerdictCode::ChargedTwice: return "The bank charged this payment more than once.";
    }
    return "";
}

} // namespace payonce::console
