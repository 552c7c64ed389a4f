// Whose books a data directory holds: a judge's, which begin empty at every start, or those of a shop that stays.
#pragma once

#include "program/data_dir.h"

#include <optional>

namespace payonce::program {

enum class Books { OfShop, OfJudge };

/// The notes of a judge, and the sign that the books are one's.
[[nodiscard]] QString notesFile(const DataDir& dir);

/// Of a judge: removes the books of the judge before it, unless that one was ended by a rule of its scenario; refused where the
/// books are a shop's. Tokens stay. Not empty: why it could not.
[[nodiscard]] std::optional<Ending> takeBooks(const DataDir& dir, Books whose);

} // namespace payonce::program
