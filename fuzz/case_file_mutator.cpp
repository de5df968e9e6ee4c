// Mutations of case files that leave them JSON: a value is replaced, repeated or left out. A
// quarter of the mutations are the engine's own, which breaks the syntax too.

#include <algorithm>
#include <iterator>

#include "harness/base/bad_input.h"
#include "harness/cases/pretty.h"
#include "harness/generation/draws.h"

/// The engine's own mutator; engines that have none do not call ours.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size,
                                                      std::size_t most);

namespace opconform::fuzz {
namespace {

void collect(base::Json& value, std::vector<base::Json*>& all) {
  all.push_back(&value);
  if (!value.is_structured()) return;
  for (base::Json& entry : value) collect(entry, all);
}

/// Around powers of two, where types end; and some that are no numbers.
base::Json any_value(generation::Draws& draws) {
  const std::uint64_t power = std::uint64_t{1} << draws.below(64);
  switch (draws.below(8)) {
    case 0:
      return base::Json::array();
    case 1:
      return base::Json::object();
    case 2:
      return nullptr;
    case 3:
      return draws.one_in(2);
    case 4:
      return -static_cast<std::int64_t>(power >> 1) - static_cast<std::int64_t>(draws.below(2));
    case 5:
      return power + draws.below(3) - 1;
    default:
      return draws.below(8);
  }
}

void mutate(base::Json& document, generation::Draws& draws) {
  std::vector<base::Json*> all;
  collect(document, all);
  base::Json& target = *all[draws.below(all.size())];
  switch (target.empty() ? 5 : draws.below(8)) {
    case 0:
      if (target.is_structured())
        target.erase(
            std::next(target.begin(), static_cast<std::ptrdiff_t>(draws.below(target.size()))));
      break;
    case 1:
      if (target.is_array()) target.push_back(base::Json(target[draws.below(target.size())]));
      break;
    case 2:
      // One more level, or one less.
      target = target.is_array() && draws.one_in(2) ? base::Json(target[0])
                                                    : base::Json::array({target});
      break;
    case 3:
      if (target.is_number_integer()) target = target.get<std::int64_t>() ^ 1;
      break;
    case 4:
    case 5:
      target = any_value(draws);
      break;
    default:
      target = base::Json(*all[draws.below(all.size())]);
  }
}

}  // namespace
}  // namespace opconform::fuzz

using namespace opconform;

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                               std::size_t most, unsigned seed) {
  generation::RandomDraws draws(seed);
  if (draws.one_in(4)) return LLVMFuzzerMutate(bytes, size, most);
  try {
    base::Json document = base::parse_json({reinterpret_cast<const char*>(bytes), size}, "input");
    fuzz::mutate(document, draws);
    const std::string text = cases::pretty(document);
    if (text.size() > most) return size;
    std::copy(text.begin(), text.end(), bytes);
    return text.size();
  } catch (const base::BadInput&) {
    return LLVMFuzzerMutate(bytes, size, most);
  }
}
