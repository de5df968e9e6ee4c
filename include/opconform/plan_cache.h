// Plans kept by descriptor, for programs that see the same shapes again and again, but not in an
// order in which they could keep the plans themselves.
//
//   opconform::optimized::PlanCache cache;  // one for each thread
//   if (const auto error = cache.execute(op, version, {.inputs = inputs, .outputs = outputs})) …
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "opconform/optimized.h"

namespace opconform::optimized {

/// At most so many plans; the one that was not used for the longest time makes room for a new one.
/// A plan takes 1 to 16 KiB with its descriptor. Not for several threads at once.
class PlanCache {
 public:
  /// 0 means 1.
  explicit PlanCache(std::size_t most = 256) : most_(std::max(most, std::size_t{1})) {}

  /// The plan of this descriptor, made by prepare() where there is none. It lives at least until
  /// the next call. Throws what prepare() throws; then nothing is kept.
  [[nodiscard]] const Plan& plan(const Operator& op, Version version) {
    const std::uint64_t hash = hash_of(op);
    for (auto [place, end] = entries_.equal_range(hash); place != end; ++place)
      if (Entry& entry = place->second; entry.version == version && entry.op == op) {
        entry.last_use = ++uses_;
        return entry.plan;
      }
    Entry entry{op, version, prepare(op, version), ++uses_};
    if (entries_.size() == most_)
      entries_.erase(std::min_element(entries_.begin(), entries_.end(), [](auto& a, auto& b) {
        return a.second.last_use < b.second.last_use;
      }));
    return entries_.emplace(hash, std::move(entry))->second.plan;
  }

  /// By that plan. Without a new one, and on one thread, this allocates nothing.
  [[nodiscard]] ExecutionResult execute(const Operator& op, Version version,
                                        const Bindings& bindings, unsigned threads = 1) {
    return plan(op, version).execute(bindings, threads);
  }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Operator op;
    Version version;
    Plan plan;
    std::uint64_t last_use;
  };

  /// Visits the fields of an operator. Whether two are equal is for == to say.
  struct Hash {
    std::uint64_t value = 0;

    void add(std::uint64_t number) { value = (value + number) * 0x9E3779B97F4A7C15U; }
    template <class Numbers>
    void add_each(const Numbers& numbers) {
      for (const auto number : numbers) add(static_cast<std::uint64_t>(number));
    }
    void operator()(const TensorField& /*field*/, const TensorDesc& tensor) {
      add(static_cast<std::uint64_t>(tensor.data_type));
      add_each(tensor.sizes);
      if (tensor.strides) add_each(*tensor.strides);
    }
    void operator()(const TensorField& field, const std::vector<TensorDesc>& tensors) {
      for (const TensorDesc& tensor : tensors) (*this)(field, tensor);
    }
    void operator()(const CountField& /*field*/) {}
    void operator()(const ScalarField& /*field*/, std::uint32_t number) { add(number); }
    void operator()(const ScalarField& /*field*/, const std::optional<std::int64_t>& number) {
      add(static_cast<std::uint64_t>(number.value_or(0)));
    }
    template <class Numbers>
    void operator()(const ArrayField& /*field*/, const Numbers& numbers) {
      add_each(numbers);
    }
  };
  static std::uint64_t hash_of(const Operator& op) {
    Hash hash;
    hash.add(op.index());
    std::visit([&](const auto& one) { one.visit_fields(one, hash); }, op);
    return hash.value;
  }

  std::unordered_multimap<std::uint64_t, Entry> entries_;  // by hash_of()
  std::size_t most_;
  std::uint64_t uses_ = 0;
};

}  // namespace opconform::optimized
