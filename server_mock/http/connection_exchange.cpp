#include "http/connection_exchange.h"

#include "http/connection.h"

#include <utility>

namespace payonce::http {

ConnectionExchange::ConnectionExchange(Connection& connection, Request&& request)
    : m_connection(&connection), m_request(std::move(request))
{
}

ConnectionExchange::~ConnectionExchange()
{
    if (m_connection && m_connection->isHeldBy(m_request.number))
        m_connection->end(m_request.number, End::Fin);
}

bool ConnectionExchange::isOpen() const
{
    return m_connection && m_connection->isWaitingFor(m_request.number);
}

void ConnectionExchange::answer(const Response& response, const std::optional<ByteFault>& fault)
{
    if (m_connection)
        m_connection->answer(m_request.number, response, fault);
}

void ConnectionExchange::end(End end)
{
    if (m_connection)
        m_connection->end(m_request.number, end);
}

void ConnectionExchange::silence()
{
    if (m_connection)
        m_connection->silence(m_request.number);
}

void ConnectionExchange::halfClose()
{
    if (m_connection)
        m_connection->halfClose(m_request.number);
}

void ConnectionExchange::sendRaw(const QByteArray& bytes)
{
    if (m_connection)
        m_connection->sendRaw(m_request.number, bytes);
}

void ConnectionExchange::resume()
{
    if (m_connection)
        m_connection->resume(m_request.number);
}

} // namespace payonce::http
