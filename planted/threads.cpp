// Wrong where several threads take part: in one execution, or in several at once.

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "planted/registry.h"

namespace opconform::planted {
namespace {

using backends::AtOnce;

/// Threads that have executed and have not ended.
std::atomic<unsigned> threads_here = 0;
struct Present {
  Present() { ++threads_here; }
  Present(const Present&) = delete;
  Present& operator=(const Present&) = delete;
  ~Present() { --threads_here; }
};

/// As long as an execution of some size takes: others come in between. Where there are none, a busy
/// machine would only let other processes run.
void give_way() {
  static thread_local const Present present;
  if (threads_here == 1) return;
  for (int i = 0; i < 32; ++i) std::this_thread::yield();
}
/// Longer, where there are so many threads: until `meet()` says that they are here at once. A busy
/// machine takes its time to let each of them run.
template <class Meet>
void give_way(unsigned threads, Meet meet) {
  give_way();
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  while (!meet() && threads_here >= threads && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
}

/// Memory in which an execution keeps the values of its first input while it is at work.
class Scratch {
 public:
  static constexpr std::size_t kCount = 16;

  /// Whoever has the same scratch at once may get another's values.
  void stage(std::size_t number, const View& input) {
    const std::lock_guard lock(mutex_);
    staged_[number].assign(input.first, input.first + input.size_bytes);
  }
  void use(std::size_t number, View& input) {
    static thread_local std::vector<std::byte> own;
    const std::lock_guard lock(mutex_);
    if (staged_[number].size() != input.size_bytes) return;
    own = staged_[number];
    input.first = own.data();
  }
  /// The first that is free; the first of all where none is.
  std::size_t take(std::size_t count) {
    const std::lock_guard lock(mutex_);
    std::size_t number = 0;
    while (number < count && users_[number] > 0) ++number;
    if (number == count) number = 0;
    ++users_[number];
    ++all_users_;
    return number;
  }
  [[nodiscard]] unsigned users() const { return all_users_; }
  void leave(std::size_t number) {
    const std::lock_guard lock(mutex_);
    --users_[number];
    --all_users_;
  }

 private:
  std::mutex mutex_;
  std::array<std::vector<std::byte>, kCount> staged_;
  std::array<unsigned, kCount> users_{};
  std::atomic<unsigned> all_users_ = 0;
};

/// Of a plan, the same in all its executions.
std::size_t number_of_plan(const Execution& e) {
  return std::hash<const void*>()(&e.op) / alignof(Operator) % Scratch::kCount;
}

template <class... Others>
void work_in(std::size_t number, Scratch& scratch, Execution& e, Others... others) {
  scratch.stage(number, e.inputs[0]);
  give_way(others...);
  scratch.use(number, e.inputs[0]);
}

/// Counts the threads that execute something. Who failed counts until its next execution.
class UnderWay {
 public:
  UnderWay() = default;
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
  ~UnderWay() { leave(); }

  void enter(unsigned threads) {
    if (!is_in_) ++count;
    is_in_ = true;
    give_way(threads, [&] { return (most_ = count) >= threads; });
  }
  void leave() {
    if (is_in_) --count;
    is_in_ = false;
  }
  [[nodiscard]] bool were(unsigned threads) const { return most_ >= threads; }

 private:
  static inline std::atomic<unsigned> count = 0;
  bool is_in_ = false;
  unsigned most_ = 0;
};
thread_local UnderWay this_thread;

/// Asks `moves` about elements where so many threads are under way at once.
template <unsigned kThreads, class Moves>
void where_at_once(Seams& s, Moves moves) {
  s.at_once = AtOnce::kExecutions;
  s.before = [](Execution&) { this_thread.enter(kThreads); };
  s.after = [](Execution&) { this_thread.leave(); };
  s.move = [moves](const Execution& e, Move& move) {
    return !this_thread.were(kThreads) || moves(e, move);
  };
}
/// Loses the last element of each output there.
template <unsigned kThreads>
void lose_last(Seams& s) {
  where_at_once<kThreads>(s, [](const Execution& e, const Move& move) {
    const Dims& sizes = e.outputs[move.output].desc->sizes;
    return element_number(move.to, sizes) + 1 != element_count(sizes);
  });
}
/// Has scratch memory for so many executions at once.
template <unsigned kThreads>
void share_scratch(Seams& s) {
  s.at_once = AtOnce::kExecutions;
  s.before = [](Execution& e) {
    static Scratch scratch;
    const std::size_t number = scratch.take(kThreads);
    work_in(number, scratch, e, kThreads + 1, [] { return scratch.users() > kThreads; });
    scratch.leave(number);
  };
}

/// Divides the elements of dimension 0 among so many threads, which take equal parts.
template <unsigned kThreads>
void divide_rows(Seams& s) {
  s.move = [](const Execution& e, Move& move) {
    if (move.to.empty()) return true;
    const std::uint64_t rows = e.outputs[move.output].desc->sizes[0];
    return rows < kThreads || move.to[0] < rows / kThreads * kThreads;
  };
}

constexpr Row kThreadBugs[] = {
    {"rest-of-three-threads-lost",
     "divides the rows among three threads and rounds down: what is left over is nobody's", kAll,
     kMovement, divide_rows<3>},
    {"rest-of-seven-threads-lost",
     "divides the rows among seven threads and rounds down: what is left over is nobody's", kAll,
     kMovement, divide_rows<7>},
    {"row-of-two-threads",
     "gives the row in the middle to two threads, of which the second believes that it starts a "
     "row "
     "earlier: the same bytes written twice",
     kAll, kMovement,
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         if (move.to.size() < 2 || move.to.size() != move.from.size()) return true;
         const std::uint64_t rows = e.outputs[move.output].desc->sizes[0];
         if (rows >= 4 && move.to[0] == rows / 2 && move.from[0] > 0) --move.from[0];
         return true;
       };
     }},
    {"one-scratch-for-all-plans",
     "stages its values in memory that all plans share: wrong where two are executed at once", kAll,
     kMovement,
     [](Seams& s) {
       s.at_once = AtOnce::kPlans;
       s.before = [](Execution& e) {
         static Scratch scratch;
         work_in(0, scratch, e);
       };
     }},
    {"one-scratch-for-a-plan",
     "stages its values in memory that belongs to the plan: wrong where it is executed twice at "
     "once",
     kAll, kMovement,
     [](Seams& s) {
       s.at_once = AtOnce::kExecutions;
       s.before = [](Execution& e) {
         static Scratch scratch;
         work_in(number_of_plan(e), scratch, e);
       };
     }},
    {"scratch-for-two-threads",
     "has scratch memory for two executions at once, and gives a third the first one's", kAll,
     kMovement, share_scratch<2>},
    {"scratch-for-six-threads",
     "has scratch memory for six executions at once, and gives a seventh the first one's", kAll,
     kMovement, share_scratch<6>},
    {"step-lost-by-two-at-once",
     "leaves the last element to a thread that helps, which has work already where two executions "
     "are under way",
     kAll, kMovement, lose_last<2>},
    {"step-lost-by-three-at-once",
     "leaves the last element to one of two threads that help, which have work already where three "
     "executions are under way",
     kAll, kMovement, lose_last<3>},
    {"step-lost-by-seven-at-once",
     "leaves the last element to one of six threads that help, which have work already where seven "
     "executions are under way",
     kAll, kMovement, lose_last<7>},
    {"step-twice-by-three-at-once",
     "where three executions are under way, two threads take the same step, and the second takes "
     "what comes before it: the same bytes written twice",
     kAll, kMovement,
     [](Seams& s) {
       where_at_once<3>(s, [](const Execution& e, Move& move) {
         const View& input = e.inputs[move.input];
         if (move.from.empty() || input.has_indices) return true;
         if (move.from.back() > 0) --move.from.back();
         return true;
       });
     }},
    {"bindings-kept-in-the-plan",
     "keeps the addresses of its outputs in the plan while it is executed: a second execution at "
     "once takes them away",
     kAll, kMovement,
     [](Seams& s) {
       s.at_once = AtOnce::kExecutions;
       s.before = [](Execution& e) {
         struct Bound {
           const Operator* plan = nullptr;
           std::vector<std::byte*> outputs;
         };
         static std::mutex mutex;
         static std::array<Bound, Scratch::kCount> kept;
         Bound& own = kept[number_of_plan(e)];
         {
           const std::lock_guard lock(mutex);
           own = {&e.op, {}};
           for (const View& output : e.outputs) own.outputs.push_back(output.first);
         }
         give_way();
         const std::lock_guard lock(mutex);
         if (own.plan != &e.op) return;
         for (std::size_t i = 0; i < e.outputs.size(); ++i) e.outputs[i].first = own.outputs[i];
       };
     }},
    {"indices-checked-by-one-thread-at-a-time",
     "keeps whether an index was outside where all threads see it, and resets it when it begins: "
     "another execution's error is lost",
     kOnly<OnnxGather>, "gather.index-range",
     [](Seams& s) {
       s.at_once = AtOnce::kExecutions;
       static std::mutex mutex;
       static unsigned under_way = 0;
       s.before = [](Execution&) {
         const std::lock_guard lock(mutex);
         ++under_way;
       };
       s.after = [](Execution&) {
         const std::lock_guard lock(mutex);
         --under_way;
       };
       s.resolve = [right = s.resolve](const Execution& e, const PlacedIndex& index,
                                       std::uint64_t size) {
         std::optional<std::uint64_t> at = right(e, index, size);
         if (at || size == 0) return at;
         give_way();
         const std::lock_guard lock(mutex);
         if (under_way > 1) return std::optional<std::uint64_t>(0);
         --under_way;  // a failure is the end of it
         return at;
       };
     }},
};

}  // namespace

Rows thread_bugs() { return kThreadBugs; }

}  // namespace opconform::planted
