// Choosing an alternative of a variant by its name. Internal to core/protocol.
#pragma once

#include <string_view>
#include <variant>

namespace payonce::protocol {

/// Tries the alternatives one after the other. What `read` makes of an empty one goes to `target` if that one's nameOf() is
/// `name`; false if none has it.
template <class Variant, class Read, std::size_t Index = 0>
[[nodiscard]] bool readNamed(std::string_view name, Variant& target, const Read& read)
{
    if constexpr (Index < std::variant_size_v<Variant>) {
        using Alternative = std::variant_alternative_t<Index, Variant>;
        if (name != nameOf(Variant(Alternative{})))
            return readNamed<Variant, Read, Index + 1>(name, target, read);
        target = read(Alternative{});
        return true;
    }
    return false;
}

} // namespace payonce::protocol
