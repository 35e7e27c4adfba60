# Interlace: the examples of docs/python.md
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""What stands there is what is printed."""

import doctest
import os
import sys
import tempfile

try:
    import pandas as _pandas
except ImportError as error:
    print(f"skipped: {error}: python3-pandas")
    sys.exit()

page = os.path.join(os.environ["INTERLACE_ROOT"], "docs", "python.md")
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    failed, tried = doctest.testfile(page, module_relative=False)
    os.chdir("/")
assert tried > 10, "where are the examples?"
sys.exit(failed > 0)
