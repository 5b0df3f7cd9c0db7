#!/usr/bin/env bash
# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds, and runs every test. The last line says how
# many passed, failed and were skipped; the exit status is 0 only if none failed.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${IOFLOR_BUILD:-$root/build}
bash "$root/scripts/deps.sh"
bash "$root/scripts/build.sh"
results="$build/test-results.json"
rm -f "$results"
status=0
/usr/lib/llvm-22/bin/lit -sv --output "$results" "$build/test" || status=$?
python3 - "$results" "$status" <<'EOF'
import collections, json, sys
path, status = sys.argv[1], int(sys.argv[2])
try:
    tests = json.load(open(path))["tests"]
except (OSError, ValueError, KeyError) as error:
    sys.exit(f"check.sh: error: no test results: {error}")
codes = collections.Counter(t["code"] for t in tests)
passed = codes["PASS"] + codes["XFAIL"]
skipped = codes["UNSUPPORTED"] + codes["SKIPPED"]
failed = len(tests) - passed - skipped
for t in tests:
    if t["code"] == "UNSUPPORTED":
        print("skipped (needs a feature that this machine lacks):", t["name"])
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or status or not passed else 0)
EOF
