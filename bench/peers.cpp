#include "bench/contender.h"

namespace opconform::bench {

const std::vector<Peer>& peers() {
  static const std::vector<Peer> found{
#ifdef OPCONFORM_BENCH_TORCH
      torch_peer(),
#endif
#ifdef OPCONFORM_BENCH_DNNL
      dnnl_peer(),
#endif
#ifdef OPCONFORM_BENCH_NUMPY
      numpy_peer(),
#endif
  };
  return found;
}

const std::vector<std::string_view>& missing_peers() {
  static const std::vector<std::string_view> missing{
#ifndef OPCONFORM_BENCH_TORCH
      "libtorch",
#endif
#ifndef OPCONFORM_BENCH_DNNL
      "oneDNN",
#endif
#ifndef OPCONFORM_BENCH_NUMPY
      "NumPy",
#endif
  };
  return missing;
}

}  // namespace opconform::bench
