# shellcheck shell=sh
# To be sourced, with the root of the checkout as working directory. Steps that the scripts share.

# What building the program and its tests needs.
PROGRAM_PACKAGES="g++ cmake ninja-build nlohmann-json3-dev libcli11-dev libtbb-dev libssl-dev libprotobuf-dev protobuf-compiler"
# What packing it as a DEB needs beside that.
# shellcheck disable=SC2034  # for those that source this
PACKING_PACKAGES="dpkg-dev file"
# shellcheck disable=SC2034
TEST_PACKAGES="$PROGRAM_PACKAGES libgtest-dev libgmock-dev libbenchmark-dev libdlpack-dev python3 python3-jsonschema \
python3-fastjsonschema python3-numpy libonnx-testdata python3-onnx libclang1-14 python3-clang-14 openssh-client"
# What the tests in a browser need beside that, which is most of the download.
# shellcheck disable=SC2034  # for those that source this
BROWSER_PACKAGES="python3-selenium chromium chromium-driver"
command -v node >/dev/null || BROWSER_PACKAGES="$BROWSER_PACKAGES nodejs"
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

# with_progress COMMAND... : of what ninja or ctest prints, shows the last line every 20 seconds, and in the end
# everything but the lines of what went well. Passes the exit code on.
with_progress() {
  _output=$(mktemp)
  _status=0
  # Ends with this script, however that ends; what it sleeps in must not hold the output open.
  (while sleep 20 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do tail -n 1 "$_output" | cut -c 1-120; done) &
  _ticker=$!
  "$@" >"$_output" 2>&1 || _status=$?
  kill "$_ticker" 2>/dev/null || true
  wait "$_ticker" 2>/dev/null || true
  grep -a -v -E '^\[[0-9]+/[0-9]+\] |^ +Start +[0-9]+: |^ *[0-9]+/[0-9]+ Test +#[0-9]+: .* Passed ' "$_output" || true
  rm -f "$_output"
  return "$_status"
}

# configure_preset PRESET [CMAKE-OPTION...] : configures build/PRESET. The environment's CXX wins over the preset's
# compiler.
configure_preset() {
  _preset=$1
  shift
  step "configuring build/$_preset"
  quietly cmake --preset "$_preset" ${CXX:+"-DCMAKE_CXX_COMPILER=$CXX"} "$@"
}

# build_targets PRESET [TARGET...] : builds them, or everything, in build/PRESET.
build_targets() {
  _preset=$1
  shift
  step "building ${*:-everything} in build/$_preset"
  with_progress cmake --build --preset "$_preset" --parallel "$JOBS" ${1+--target} "$@"
}

# build_preset PRESET [CMAKE-OPTION...] : configures and builds build/PRESET.
build_preset() {
  configure_preset "$@" && build_targets "$1"
}
