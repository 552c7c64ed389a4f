#include "shop/public_pages.h"

#include "values/check.h"

#include <QtCore/QFile>

#include <variant>

namespace payonce::shop {

bool isPublic(Endpoint endpoint)
{
    return !operationFor(endpoint);
}

bool isForEverybody(const http::Request& request)
{
    const auto route = routeOf(request.method, request.path);
    const auto* const known = std::get_if<Route>(&route);
    return known != nullptr && isPublic(known->endpoint);
}

http::Response metricsPage(const std::string& text)
{
    http::Response response;
    response.contentType = "text/plain; version=0.0.4; charset=utf-8";
    response.body = QByteArray::fromStdString(text);
    return response;
}

http::Response openApiPage()
{
    QFile file(QStringLiteral(":/openapi.yaml"));
    CHECK(file.open(QIODevice::ReadOnly));
    http::Response response;
    response.contentType = "application/yaml";
    response.body = file.readAll();
    return response;
}

} // namespace payonce::shop
