// oneDNN on one thread: a reorder between two memory descriptors with strides.
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <oneapi/dnnl/dnnl.hpp>

#include "bench/contender.h"
#include "bench/views.h"

namespace opconform::bench {
namespace {

/// A type that a reorder moves without a look at the bits.
std::optional<dnnl::memory::data_type> data_type_of_width(std::size_t width) {
  using Type = dnnl::memory::data_type;
  switch (width) {
    case 1:
      return Type::u8;
    case 2:
      return Type::bf16;
    case 4:
      return Type::f32;
    default:
      return std::nullopt;
  }
}

struct Reorder {
  dnnl::reorder primitive;
  dnnl::memory source;
  dnnl::memory target;
};

dnnl::memory memory_of(const std::byte* buffer, const View& view, std::size_t width,
                       dnnl::memory::data_type type, const dnnl::engine& engine) {
  const dnnl::memory::dims sizes(view.sizes.begin(), view.sizes.end());
  const dnnl::memory::dims strides(view.strides.begin(), view.strides.end());
  const std::byte* first = buffer + view.offset * static_cast<std::int64_t>(width);
  return {dnnl::memory::desc(sizes, type, strides), engine, const_cast<std::byte*>(first)};
}

/// oneDNN 2.6.3 divides by 0 over some layouts: 115,224 bf16 with stride 1 into stride 4. That
/// would end this program, so another process asks first.
bool can_be_made(const dnnl::memory& source, const dnnl::memory& target) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    try {
      static_cast<void>(dnnl::reorder::primitive_desc(source, target));
      ::_exit(0);
    } catch (...) {
      ::_exit(1);
    }
  }
  int status = 1;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

std::optional<Contender> prepare(const Operator& op, const Buffers& buffers) {
  omp_set_num_threads(1);
  const std::optional<std::vector<Move>> all = moves(op);
  if (!all) return std::nullopt;
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  static dnnl::stream stream(engine);
  std::vector<Reorder> reorders;
  for (const Move& move : *all) {
    const std::size_t width = element_size_bytes(move.data_type);
    const auto type = data_type_of_width(width);
    if (!type || !forwards(move.source).turned.empty()) return std::nullopt;
    try {
      const dnnl::memory source =
          memory_of(buffers.input(move.source.buffer), move.source, width, *type, engine);
      const dnnl::memory target =
          memory_of(buffers.output(move.target.buffer), move.target, width, *type, engine);
      if (!can_be_made(source, target)) return std::nullopt;
      reorders.push_back({dnnl::reorder(source, target), source, target});
    } catch (const dnnl::error&) {
      return std::nullopt;  // a layout that it does not know
    }
  }
  return Contender{"oneDNN", Role::kPeer, [reorders]() mutable {
                     for (Reorder& one : reorders)
                       one.primitive.execute(stream, one.source, one.target);
                     stream.wait();
                   }};
}

}  // namespace

Peer dnnl_peer() {
  const dnnl_version_t& version = *dnnl::version();
  return {"oneDNN",
          std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
              std::to_string(version.patch),
          prepare};
}

}  // namespace opconform::bench
