// Memory that is not the operator's, vector tails, threads.

#include <algorithm>
#include <barrier>
#include <cstring>
#include <thread>

#include "harness/base/guard.h"
#include "planted/registry.h"

namespace opconform::planted {
namespace {

constexpr std::uint64_t kVector = 4;  // elements

std::uint64_t row_size(const Execution& e, const Move& move) {
  const Dims& sizes = e.outputs[move.output].desc->sizes;
  return sizes.empty() ? 1 : sizes.back();
}
std::uint64_t column(const Move& move) { return move.to.empty() ? 0 : move.to.back(); }

/// For reads whose only effect is that they happen.
void touch(const std::byte* at) { (void)*static_cast<const volatile std::byte*>(at); }
/// Nobody sees afterwards that it was written.
void store_again(std::byte* at) {
  volatile std::byte* const place = at;
  *place = *place;
}

constexpr Row kMemoryBugs[] = {
    {"reads-behind-input",
     "reads a whole vector where the last one is not full: unseen until the next page is not there",
     kAll, "tensor.outside-intact",
     [](Seams& s) {
       s.before = [](Execution& e) {
         const View& input = e.inputs[0];
         if (input.size_bytes % 16 != 0) touch(input.first + input.size_bytes + 15);
       };
     }},
    {"reads-before-input",
     "reads the vector before the first element: reversed rows loaded by whole vectors",
     kOnly<Slice1>, "tensor.outside-intact",
     [](Seams& s) {
       s.before = [](Execution& e) {
         const Slice1& op = *e.as<Slice1>();
         for (const std::int32_t stride : op.window_strides)
           if (stride < 0) return touch(e.inputs[0].first - 16);
       };
     }},
    {"reads-before-input-of-15-bytes",
     "reads a vector of 16 bytes that ends with an input that reaches over 15", kDirectml,
     "tensor.outside-intact",
     [](Seams& s) {
       s.before = [](Execution& e) {
         for (const View& input : e.inputs)
           if (extent_elements(*input.desc).value_or(0) * input.width() == 15)
             touch(input.first - 1);
       };
     }},
    {"reads-31-bytes-behind-input", "reads the last input in vectors of 32 bytes, wherever it ends",
     kAll, "tensor.outside-intact",
     [](Seams& s) {
       s.before = [](Execution& e) {
         const View& input = e.inputs.back();
         if (input.size_bytes % 32 == 1 || input.size_bytes % 32 == 4)
           touch(input.first + base::round_up(input.size_bytes, 32) - 1);
       };
     }},
    {"tail-written-back",
     "reads the vector behind an output, mixes nothing into it and stores it again", kAll,
     "tensor.outside-intact",
     [](Seams& s) {
       s.after = [](Execution& e) {
         const View& output = e.outputs.back();
         if (output.size_bytes > 0) store_again(output.first + output.size_bytes);
       };
     }},
    {"head-written-back",
     "reads the vector that ends where an output begins, mixes nothing into it and stores it again",
     kAll, "tensor.outside-intact",
     [](Seams& s) {
       s.after = [](Execution& e) {
         const View& output = e.outputs.front();
         if (output.size_bytes > 0) store_again(output.first - 1);
       };
     }},
    {"input-changed-and-restored",
     "works in the input, and puts everything back as it was before it is done", kAll,
     "tensor.input-intact",
     [](Seams& s) {
       s.before = [](Execution& e) {
         const View& input = e.inputs[0];
         if (input.size_bytes > 0) store_again(input.first + input.size_bytes / 2);
       };
     }},
    {"writes-65-bytes-behind", "spoils the byte after the cache line behind an output", kAll,
     "tensor.outside-intact",
     [](Seams& s) {
       s.after = [](Execution& e) {
         const View& output = e.outputs.back();
         if (output.size_bytes > 0) output.first[output.size_bytes + 64] ^= std::byte{1};
       };
     }},
    {"writes-byte-behind", "writes one byte behind an output: a loop with <= for <", kAll,
     "tensor.outside-intact",
     [](Seams& s) {
       s.after = [](Execution& e) {
         const View& output = e.outputs.back();
         if (output.size_bytes > 0) output.first[output.size_bytes] ^= std::byte{1};
       };
     }},
    {"writes-byte-before", "writes one byte before an output: a reversed loop with one step more",
     kAll, "tensor.outside-intact",
     [](Seams& s) {
       s.after = [](Execution& e) {
         const View& output = e.outputs.front();
         if (output.size_bytes > 0) *(output.first - 1) ^= std::byte{1};
       };
     }},
    {"works-in-the-input",
     "applies the updates to the input and copies that: an in-place operator with an output added",
     kOnly<Scatter>, "tensor.input-intact",
     [](Seams& s) {
       s.after = [](Execution& e) {
         const Scatter& op = *e.as<Scatter>();
         if (op.input.data_type == op.output.data_type &&
             e.inputs[0].strides == e.outputs[0].strides)
           std::memcpy(e.inputs[0].first, e.outputs[0].first,
                       std::min(e.inputs[0].size_bytes, e.outputs[0].size_bytes));
       };
     }},
    {"negative-indices-resolved-in-place",
     "replaces the negative indices in their own tensor, which is an input: a pass that prepares "
     "indices for a kernel without signs (WebNN polyfills)",
     kIndexed, "tensor.input-intact",
     [](Seams& s) {
       s.after = [](Execution& e) {
         const View& indices = e.inputs[1];
         const auto size = static_cast<std::int32_t>(*indexed_size(e.op));
         if (indices.desc->data_type != DataType::kInt32) return;
         for (std::uint64_t i = 0;; ++i) {
           std::byte* const element = element_at(indices, i);
           if (element == nullptr) break;
           std::int32_t index = 0;
           std::memcpy(&index, element, sizeof index);
           if (index >= 0 || index < -size) continue;
           index += size;
           std::memcpy(element, &index, sizeof index);
         }
       };
     }},
    {"changes-input-behind-64-kib",
     "changes the last byte of inputs of more than 64 KiB: a tail that is read, mixed and stored "
     "in "
     "the wrong place",
     kAll, "tensor.input-intact",
     [](Seams& s) {
       s.after = [](Execution& e) {
         for (const View& input : e.inputs)
           if (input.size_bytes > 65536) input.first[input.size_bytes - 1] ^= std::byte{1};
       };
     }},
    {"tail-of-rows-skipped",
     "leaves out what a row has over a multiple of four elements: a vector loop without a tail",
     kAll, kMovement,
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const std::uint64_t size = row_size(e, move);
         return size < kVector || column(move) < size / kVector * kVector;
       };
     }},
    {"head-of-rows-skipped",
     "starts a row at its second vector where it has more than one: a loop entered in the middle",
     kAll, kMovement,
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         return row_size(e, move) <= kVector || column(move) >= kVector;
       };
     }},
    {"tail-stored-as-whole-vector",
     "stores whole vectors, the rows in reverse, so that the tail of a row covers the start of the "
     "next",
     kAll, kMovement,
     [](Seams& s) {
       s.after = [](Execution& e) {
         for (const View& output : e.outputs) {
           const Dims& sizes = output.desc->sizes;
           if (sizes.size() < 2 || sizes.back() % kVector == 0 || has_empty_dimension(*output.desc))
             continue;
           const std::uint64_t count = element_count(sizes).value_or(0);
           const bool is_packed = output.strides == packed_strides(sizes);
           for (std::uint64_t at = sizes.back(); is_packed && at < count; at += sizes.back())
             std::memcpy(element_at(output, at), element_at(output, at - 1), output.width());
         }
       };
     }},
    {"odd-bytes-left-over",
     "moves whole 32-bit words of a tensor, and forgets 8- and 16-bit elements behind the last one",
     kAll, kMovement,
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const View& output = e.outputs[move.output];
         const std::uint64_t count = element_count(output.desc->sizes).value_or(0);
         const std::uint64_t whole = count * output.width() / 4 * 4;
         return element_number(move.to, output.desc->sizes) * output.width() < whole;
       };
     }},
    {"last-row-in-no-thread",
     "divides the rows among two threads and rounds down: the last of an odd number is nobody's",
     kAll, kMovement,
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         if (move.to.size() < 2) return true;
         const std::uint64_t rows = e.outputs[move.output].desc->sizes[0];
         return rows < 3 || move.to[0] < rows / 2 * 2;
       };
     }},
    {"only-aligned-bases",
     "rounds the address of an output up to 16 bytes before it stores: right wherever the base is "
     "aligned",
     kAll, kMovement,
     [](Seams& s) {
       s.move = [](const Execution& e, Move& move) {
         const View& output = e.outputs[move.output];
         const auto skipped = (16 - reinterpret_cast<std::uintptr_t>(output.first) % 16) % 16;
         return element_number(move.to, output.desc->sizes) * output.width() >= skipped;
       };
     }},
    {"threads-share-a-register",
     "copies with two threads through one staging element: a race, which a barrier makes certain",
     kAll, kMovement,
     [](Seams& s) {
       s.after = [](Execution& e) {
         const View& output = e.outputs[0];
         const std::uint64_t count = output.size_bytes / output.width();
         if (output.strides != packed_strides(output.desc->sizes) || count < 2) return;
         // Both have written before either reads: the second thread's element stands there.
         std::vector<std::byte> staged(output.width());
         std::barrier turn(2);
         const auto work = [&](unsigned thread) {
           std::byte* const own = output.first + thread * output.width();
           if (thread == 1) turn.arrive_and_wait();
           std::memcpy(staged.data(), own, output.width());
           if (thread == 0) turn.arrive_and_wait();
           turn.arrive_and_wait();
           if (thread == 0) std::memcpy(own, staged.data(), output.width());
         };
         const std::jthread other(work, 1);
         work(0);
       };
     }},
};

}  // namespace

Rows memory_bugs() { return kMemoryBugs; }

}  // namespace opconform::planted
