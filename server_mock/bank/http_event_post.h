// Posts events over HTTP. A 2xx is Taken; so is nothing else. The same POST may arrive more than once, as events may.
#pragma once

#include "bank/event_post.h"

#include <QtCore/QUrl>
#include <QtNetwork/QNetworkAccessManager>

#include <chrono>

namespace payonce::bank {

/// How long an answer may take.
inline constexpr std::chrono::seconds kPostLimit{10};

class HttpEventPost final : public EventPost
{
public:
    explicit HttpEventPost(QUrl url) : m_url(std::move(url)) {}

    void post(const SignedEvent& event, std::function<void(Posted)> done) override;

private:
    QUrl m_url;
    QNetworkAccessManager m_network;
};

} // namespace payonce::bank
