# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exit_code.py CODE COMMAND...: runs COMMAND; fails unless it exits with CODE."""
import subprocess
import sys

done = subprocess.run(sys.argv[2:])
if done.returncode != int(sys.argv[1]):
    print(f"exit status {done.returncode}, expected {sys.argv[1]}")
    sys.exit(1)
