// Every bound of a listener, in one place.
#pragma once

#include <QtCore/QtGlobal>

#include <chrono>

namespace payonce::http {

struct Limits
{
    qsizetype head = 16 * 1024;                ///< bytes of request line and headers; beyond: 431
    qsizetype body = 256 * 1024;               ///< bytes of a request's body; beyond: 413
    qsizetype readAhead = 64 * 1024;           ///< bytes taken from a client before its earlier request is answered
    std::chrono::milliseconds idle{30'000};    ///< between two requests; beyond: closed
    std::chrono::milliseconds request{10'000}; ///< from a request's first byte to its last; beyond: 408
    std::chrono::milliseconds take{30'000};    ///< for the client to take its answer; beyond: reset
    std::chrono::milliseconds linger{2'000};   ///< after our FIN, for the client to read to the end and close
    qsizetype lingerBytes = 1024 * 1024;       ///< thrown away of what such a client still sends
    std::chrono::milliseconds delivery{1'000}; ///< for the bytes before a planned RST to arrive
    int connections = 2'000;                   ///< open at once; beyond: closed at once
    int held = 1'024;                          ///< requests waiting for their answer at once; beyond: 429
    int burst = 64;                            ///< requests of one connection in a row before others have their turn
};

} // namespace payonce::http
