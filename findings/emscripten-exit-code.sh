#!/usr/bin/env bash
# libdeflate 0.1.0 (npm; code for Node that Emscripten made by default): compressing once changes the exit code of a
# process that fails later.
#
# Valid input: a program compresses six bytes, and afterwards throws an error that nobody catches.
# Seen: it exits with 7, and prints the package's whole source, a line of 80 KB, before the error. Without the
#   compression, or with fflate 0.8.3 instead, it exits with 1. The loader adds listeners for `uncaughtException` and
#   `unhandledRejection` to the process, which throw what they get, and Node answers an error in such a listener with 7.
#   Importing the package does nothing yet: its loader runs at the first call.
# Who meets it: programs whose callers tell failures apart by exit code, and services that list their own listeners.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund libdeflate@0.1.0 fflate@0.8.3
exit_code() {
  local code=0
  node --input-type=module -e "$1 throw new Error('late');" 2> log || code=$?
  grep -q 'Error: late' log
  [[ $code == 1 || $(wc -c < log) -gt 80000 ]]
  echo "$code"
}
bytes="new TextEncoder().encode('abcabc')"
seen=$(
  exit_code ""
  exit_code "import { gzipSync } from 'fflate'; gzipSync($bytes);"
  exit_code "import { gzip } from 'libdeflate';"
  exit_code "import { gzip } from 'libdeflate'; gzip($bytes);"
)
printf '%s\n' "$seen"
[[ $(tr '\n' ' ' <<< "$seen") == '1 1 1 7 ' ]]
