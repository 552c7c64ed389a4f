// How the control API answers.
#pragma once

#include "http/listener.h"

#include <QtCore/QByteArray>

#include <memory>
#include <utility>

namespace payonce::faults {

inline void answer(const std::shared_ptr<http::Exchange>& exchange, QByteArray body, int status = 200)
{
    http::Response response;
    response.status = status;
    response.body = std::move(body);
    exchange->answer(response);
}

inline void refuse(const std::shared_ptr<http::Exchange>& exchange, idempotency::ProblemCode code, QByteArray detail,
                   const http::Headers& lines = {})
{
    auto response = http::renderProblem({code, std::move(detail)}, exchange->request());
    response.headers += lines;
    exchange->answer(response);
}

} // namespace payonce::faults
