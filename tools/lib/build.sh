# shellcheck shell=sh
# To be sourced, with the root of the checkout as working directory. Steps that the scripts share.

# What building the program and its tests needs.
PROGRAM_PACKAGES="g++ cmake ninja-build nlohmann-json3-dev libcli11-dev libtbb-dev libssl-dev"
# shellcheck disable=SC2034  # for those that source this
TEST_PACKAGES="$PROGRAM_PACKAGES libgtest-dev libgmock-dev libbenchmark-dev python3 python3-jsonschema \
python3-fastjsonschema python3-numpy python3-selenium chromium chromium-driver libclang1-14 python3-clang-14"
# Libraries that the benchmarks measure beside this project.
# shellcheck disable=SC2034
PEER_PACKAGES="libtorch-dev libdnnl-dev python3-dev python3-numpy"

# Jobs at a time: the environment's JOBS, or the number of processors.
: "${JOBS:=$(nproc)}"

step() {
  printf '==> %s\n' "$*"
}

# quietly COMMAND... : shows the command's output only if it fails, and passes its exit code on.
quietly() {
  _output=$(mktemp)
  _status=0
  "$@" >"$_output" 2>&1 || _status=$?
  [ "$_status" -eq 0 ] || cat "$_output" >&2
  rm -f "$_output"
  return "$_status"
}

# build_preset PRESET [CMAKE-OPTION...] : configures and builds build/PRESET. The environment's CXX wins over
# the preset's compiler.
build_preset() {
  _preset=$1
  shift
  step "configuring and building build/$_preset"
  quietly cmake --preset "$_preset" ${CXX:+"-DCMAKE_CXX_COMPILER=$CXX"} "$@" &&
    cmake --build --preset "$_preset" --parallel "$JOBS"
}
