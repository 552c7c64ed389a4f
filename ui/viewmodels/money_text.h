// Money as people read it, exact and the same in every locale.
#pragma once

#include "values/money.h"

#include <QtCore/QString>

namespace payonce::viewmodels {

/// `42.00 €`, `80 JPY`, `1.500 KWD`; a negative amount has a minus sign.
[[nodiscard]] QString moneyText(const values::Money& money);

} // namespace payonce::viewmodels
