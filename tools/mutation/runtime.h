// Put before every file of the mutated tree: is this mutant the one that the environment names?
#pragma once

extern "C" {
extern int opconform_active_mutant;
extern unsigned char* opconform_reached_mutants;
}

/// Where nothing is evaluated by the compiler.
[[gnu::always_inline]] inline bool opconform_mutant_now(int number) {
  opconform_reached_mutants[number] = 1;
  return __builtin_expect(opconform_active_mutant == number, 0) != 0;
}
/// Where something may be: the compiler sees the original.
[[gnu::always_inline]] constexpr bool opconform_mutant(int number) {
  if (__builtin_is_constant_evaluated()) return false;
  return opconform_mutant_now(number);
}
