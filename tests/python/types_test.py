# Interlace: the types of the package
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""mypy --strict over the package, these tests and the benchmark."""

import os
import sys
import tempfile
from pathlib import Path

try:
    from mypy import api
except ImportError as error:
    print(f"skipped: {error}: python3-mypy")
    sys.exit()

root = Path(os.environ["INTERLACE_ROOT"])
os.environ["MYPYPATH"] = str(root / "python")
# Against the sources: a link in the build is a file of another name.
tests = sorted((root / "tests" / "python").glob("*.py"))
sources = [root / "python" / "interlace", *tests, root / "bench" / "python_bench.py"]
with tempfile.TemporaryDirectory() as cache:
    said, problems, code = api.run(
        ["--strict", "--no-error-summary", f"--cache-dir={cache}", "--ignore-missing-imports", *map(str, sources)]
    )
print(said + problems, end="")
sys.exit(code)
