# Interlace: the notebook of docs/notebook
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
"""It runs from its first cell to its last, and prints what it printed."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

for module in ("nbconvert", "ipykernel", "matplotlib", "pandas"):
    try:
        __import__(module)
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit()


def printed(path: Path) -> list[str]:
    """The texts of all cells."""
    cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return ["".join(output["text"]) for output in outputs if output["output_type"] == "stream"]


notebook = Path(os.environ["INTERLACE_ROOT"], "docs", "notebook", "queues.ipynb")
with tempfile.TemporaryDirectory() as folder:
    shutil.copy(notebook, folder)
    # Its kernel is the interpreter that runs this.
    environment = {**os.environ, "HOME": folder, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--execute", "--to", "notebook", "--inplace", notebook.name],
        cwd=folder,
        env=environment,
        check=True,
    )
    executed = Path(folder, notebook.name)
    assert printed(executed) == printed(notebook), printed(executed)
    figures = sorted(path.name for path in Path(folder).glob("*.pdf"))
assert figures == ["queues.pdf"], figures
