// How long tests draw at random.
#pragma once

namespace opconform::test {

/// So many draws, but a tenth where a sanitizer makes each ten times as long.
template <class Integer>
constexpr Integer draws(Integer wanted) {
#ifdef OPCONFORM_SANITIZED
  return wanted / 10;
#else
  return wanted;
#endif
}

}  // namespace opconform::test
