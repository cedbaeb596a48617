"""Writes the files again: python -m tests.report.golden [folder]"""

import sys
from pathlib import Path

from tests.report.golden import FOLDER, NAMES, golden

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
for name in NAMES:
    path = folder / f"{name}.txt"
    path.write_text(golden(name), encoding="utf-8", newline="\n")
    print(path)
