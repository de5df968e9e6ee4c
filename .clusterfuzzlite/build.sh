#!/usr/bin/env bash
# The build is that of OSS-Fuzz.
exec "$SRC/opconform/fuzz/oss-fuzz/build.sh"
