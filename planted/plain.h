// The model of the operators as a backend, with seams in what it makes of a descriptor too.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "harness/backends/backend.h"
#include "harness/model/model.h"

namespace opconform::planted {

using model::Coordinates;
using model::copy_element;
using model::element_at;
using model::element_number;
using model::Execution;
using model::Move;
using model::Overlap;
using model::PlacedIndex;
using model::resolve;
using model::tensors_of;
using model::View;

/// The places where an implementation may differ. Those that are empty change nothing.
struct Seams : model::Seams {
  bool names_rules = true;
  /// Edits what the descriptor is rejected for; without rules it is accepted.
  std::function<void(const Operator&, Version, backends::Rejection&)> judge;
  /// Says that this is not offered.
  std::function<bool(const Operator&, Version)> lacks;

  /// What is in force while a plan is executed.
  enum class Descriptor : std::uint8_t {
    kOwn,
    kCallers,
    kLastPrepared,
    kLastReleased,  ///< of a plan that was released since this one was prepared
    kLastExecuted,  ///< of a plan that was executed since this one was
    kSlot,   ///< of the last plan in its slot: there are `plans`, and the first is taken where none
             ///< is free
    kGrown,  ///< of the next plan, once more than `plans` were there: a table that has moved
    kHole,   ///< of the last plan: that of one that was released while there were more than `plans`
  };
  Descriptor descriptor = Descriptor::kOwn;
  std::size_t plans = 0;
  bool rejects_equal = false;  ///< a descriptor of which a plan is there already

  /// A cache of plans: forgets what its key leaves out. Who has the key of an earlier plan gets
  /// that.
  std::function<void(Operator&, Version&)> cache_key;
  std::size_t cached = 64;  ///< plans; the oldest makes room
  bool cache_comes_first =
      false;  ///< before a descriptor is looked at; else only valid ones have plans
  backends::AtOnce at_once = backends::AtOnce::kNothing;
};

/// In the order of all_operators().
using SeamsByOperator = std::array<Seams, std::variant_size_v<Operator>>;

/// The backend of that name with those seams.
std::unique_ptr<backends::Backend> make_plain(std::string name, const SeamsByOperator& seams);

}  // namespace opconform::planted
