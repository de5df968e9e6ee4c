// How long tests draw at random.
#pragma once

namespace opconform::test {

/// So many draws, but a tenth where instrumentation makes each many times as long.
template <class Integer>
constexpr Integer draws(Integer wanted) {
#ifdef OPCONFORM_INSTRUMENTED
  return wanted / 10;
#else
  return wanted;
#endif
}

}  // namespace opconform::test
