"""Writes the files again: python -m tests.games.golden [folder]"""

import sys
from pathlib import Path

from tests.games.golden import FOLDER, golden
from tierce.solver.games import game_names

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
for name in game_names():
    path = folder / f"{name}.txt"
    path.write_text(golden(name), encoding="utf-8", newline="\n")
    print(path)
