// Overloaded: one visitor out of several lambdas, for std::visit.
#pragma once

namespace payonce::values {

template <class... Handlers> struct Overloaded : Handlers...
{
    using Handlers::operator()...;
};
template <class... Handlers> Overloaded(Handlers...) -> Overloaded<Handlers...>;

} // namespace payonce::values
