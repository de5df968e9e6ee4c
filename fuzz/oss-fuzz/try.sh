#!/usr/bin/env bash
# Does here what OSS-Fuzz does with build.sh, without its container: builds with clang, then runs every target away
# from where it was built.
#
#   usage: fuzz/oss-fuzz/try.sh DIR [BUILT]    DIR is made anew. BUILT is a build of the preset fuzz, to go on from
#                                              with its compiler and flags, which takes seconds. Its targets have
#                                              been run there, and run on few inputs here.
set -eu

here=$(dirname "$(readlink -f "$0")")
rm -rf "$1"
mkdir -p "$1/out" "$1/work"
runs=3000
dir=$(readlink -f "$1")
if [ $# -ge 2 ]; then
  OPCONFORM_FUZZ_BUILD=$(readlink -f "$2")
  export OPCONFORM_FUZZ_BUILD
  runs=300
fi
flags='-O1 -g -fno-omit-frame-pointer -fsanitize=address,fuzzer-no-link'
env CC=clang CXX=clang++ CFLAGS="$flags" CXXFLAGS="$flags" LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
  OUT="$dir/out" WORK="$dir/work" "$here/build.sh"

mv "$dir/out" "$dir/moved"
rm -rf "$dir/work"
targets=0
for options_file in "$dir"/moved/*.options; do
  targets=$((targets + 1))
  name=$(basename "$options_file" .options)
  target=$dir/moved/$name
  echo "==> $name"

  # The machines that run it have the system's libraries and no others.
  if others=$(ldd "$target" | grep -v -E 'linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+)\.so'); then
    echo "$name needs more than the system's libraries: $others" >&2
    exit 1
  fi

  mkdir "$dir/corpus" "$dir/found"
  python3 -m zipfile -e "$dir/moved/${name}_seed_corpus.zip" "$dir/corpus"
  # As the options file has it: "max_len = 4096" is -max_len=4096.
  mapfile -t options < <(sed -n 's/^\([a-z_]*\) = \(.*\)$/-\1=\2/p' "$options_file")
  (cd "$dir/moved" && "$target" "${options[@]}" -runs="$runs" -seed=1 -artifact_prefix="$dir/found/" "$dir/found" \
    "$dir/corpus" 2>"$dir/log") || {
    cat "$dir/log" >&2
    exit 1
  }
  sed -n '/^inputs:/,/^  accepted/p' "$dir/log"
  if grep -q 'nothing was accepted' "$dir/log"; then exit 1; fi
  rm -rf "$dir/corpus" "$dir/found"
done
[ "$targets" -gt 0 ]
