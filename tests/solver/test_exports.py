"""What `import tierce.solver` gives: every name it promises, PBN and the version only when they are asked for."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

import tierce.solver
from tierce.solver import pbn


def test_every_name_is_there() -> None:
    assert sorted(set(tierce.solver.__all__)) == sorted(tierce.solver.__all__)
    for name in tierce.solver.__all__:
        assert getattr(tierce.solver, name) is not None
    assert tierce.solver.__doc__


def test_pbn_and_the_version() -> None:
    assert tierce.solver.read_pbn is pbn.read_pbn
    assert tierce.solver.write_pbn is pbn.write_pbn
    assert tierce.solver.PbnGame is pbn.PbnGame
    assert tierce.solver.__version__ == version("tierce")


def test_they_cost_nothing_until_asked_for() -> None:
    code = (
        "import sys, tierce.solver; late = {'tierce.solver.pbn', 'importlib.metadata'}; "
        "assert not late & set(sys.modules); from tierce.solver import read_pbn, __version__; "
        "assert late <= set(sys.modules); assert 'read_pbn' in vars(tierce.solver)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["reed_pbn", "__versions__"])
def test_other_names_are_not(name: str) -> None:
    with pytest.raises(AttributeError, match=r"^module 'tierce\.solver' has no attribute '" + name):
        getattr(tierce.solver, name)
