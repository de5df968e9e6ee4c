#!/usr/bin/env bash
# Builds the fuzz targets as OSS-Fuzz and ClusterFuzzLite want them in $OUT: programs, seed corpora, dictionaries and
# options. They set CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, OUT and WORK; so does try.sh.
set -eu

root=$(dirname "$(readlink -f "$0")")/../..
build=${OPCONFORM_FUZZ_BUILD-$WORK/opconform}  # try.sh may have one
# CMake takes compiler and flags from the environment. Without a build type there are no others.
export CXXFLAGS="${CXXFLAGS-${CFLAGS-}}"

cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE= -DOPCONFORM_ASSERTIONS=ON -DOPCONFORM_BUILD_TESTS=OFF \
  -DOPCONFORM_THREADS=OFF -DOPCONFORM_FUZZ_ONNX=OFF \
  -DOPCONFORM_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$build" --target fuzz_targets

for target in "$build"/fuzz/fuzz_*; do
  name=$(basename "$target")
  seeds=$build/fuzz/seeds/$name
  [ -d "$seeds" ] || continue  # of a test alone
  [ "$name" != fuzz_onnx ] || continue  # of a build that is gone on from
  cp "$target" "$OUT/"
  rm -f "$OUT/${name}_seed_corpus.zip"
  zip -q -j -r "$OUT/${name}_seed_corpus.zip" "$seeds"
  printf '[libfuzzer]\nmax_len = 4096\n' >"$OUT/$name.options"
  if [ -f "$seeds.dict" ]; then
    cp "$seeds.dict" "$OUT/$name.dict"
    printf 'dict = %s.dict\n' "$name" >>"$OUT/$name.options"
  fi
done
