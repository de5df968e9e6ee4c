// Targets whose input is no file format: its bytes are the answers to a generator's questions.
// draw_target.cpp makes fuzz targets of them, with a mutator that knows where answers begin.
#pragma once

#include <string>
#include <vector>

#include "fuzz/statistics.h"
#include "harness/generation/draws.h"

namespace opconform::fuzz {

class DrawTarget {
 public:
  DrawTarget() = default;
  DrawTarget(const DrawTarget&) = delete;
  DrawTarget& operator=(const DrawTarget&) = delete;
  virtual ~DrawTarget() = default;

  /// Makes an input. Asks the same questions after the same answers, whatever was drawn before.
  virtual void draw(generation::Draws& draws) = 0;
  /// Judges the input that was drawn last. Does not come back where something is wrong.
  virtual void judge(Statistics& statistics) = 0;
  /// What there is to the input drawn last that some seed should have.
  [[nodiscard]] virtual std::vector<std::string> features() const = 0;
};

/// The program's. Each target defines it.
DrawTarget& draw_target();

}  // namespace opconform::fuzz
