"""The package as users get it: one import name, every package of the tree, no source of the extension."""

import json
import subprocess
import sys
import tomllib
from importlib.metadata import Distribution, distributions
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES: list[str] = SETTINGS["tool"]["setuptools"]["packages"]
FOLDERS: dict[str, str] = SETTINGS["tool"]["setuptools"]["package-dir"]
TOP = {folder.split("/")[0] for folder in FOLDERS.values()} | {"solver", "service", "cli", "proto"}
NOT_INSTALLED = {"benchmarks", "build", "dist", "tests"}


def installed_name(folder: PurePosixPath) -> str:
    """The import name of a folder of the tree; one that package-dir does not map keeps its own name."""
    for package, root in FOLDERS.items():
        if folder.is_relative_to(root):
            return ".".join([package, *folder.relative_to(root).parts])
    return ".".join(folder.parts)


def tree(pattern: str) -> list[PurePosixPath]:
    """Files of the tree that could belong to a package, relative to the root."""
    found = (PurePosixPath(path.relative_to(ROOT).as_posix()) for path in ROOT.glob(f"*/**/{pattern}"))
    return sorted(path for path in found if path.parts[0] not in NOT_INSTALLED and path.parts[0][0] != ".")


def packages_of_tree() -> set[str]:
    return {installed_name(path.parent) for path in tree("__init__.py")}


def installed() -> Distribution:
    """The installed distribution, not the tierce.egg-info that a build leaves in the tree."""
    path = [entry for entry in sys.path if Path(entry).resolve() != ROOT]
    return next(iter(distributions(name="tierce", path=path)))


def is_editable() -> bool:
    origin = json.loads(installed().read_text("direct_url.json") or "{}")
    return bool(origin.get("dir_info", {}).get("editable", False))


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What a wheel carries: the wheel installed here or, if none is, what setuptools would put into it."""
    if not is_editable():
        return {str(path) for path in installed().files or () if path.parts[0] == "tierce"}
    base = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "setup.py", "-q", "egg_info", "--egg-base", str(base)]
    command += ["build_py", "--build-lib", str(base / "lib")]
    subprocess.run(command, cwd=ROOT, check=True)
    return {path.relative_to(base / "lib").as_posix() for path in (base / "lib").rglob("*") if path.is_file()}


def test_only_one_name_is_imported(tmp_path: Path) -> None:
    program = f"import sys, {', '.join(PACKAGES)}; print(sorted({TOP!r} & set(sys.modules)))"
    output = subprocess.check_output([sys.executable, "-c", program], cwd=tmp_path, text=True)
    assert output.strip() == "[]"


def test_tests_use_the_installed_name() -> None:
    assert TOP & set(sys.modules) == set()


def test_every_package_of_the_tree_is_declared() -> None:
    assert packages_of_tree() == set(PACKAGES)


def test_every_module_lies_in_a_package() -> None:
    modules = [path for path in tree("*.py") if path.parts[0] in TOP]
    assert [str(path) for path in modules if installed_name(path.parent) not in PACKAGES] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_is_shipped(package: str, shipped: set[str]) -> None:
    folder = package.replace(".", "/")
    assert {f"{folder}/__init__.py", f"{folder}/py.typed"} <= shipped


def test_every_module_and_stub_is_shipped(shipped: set[str]) -> None:
    files = [path for path in tree("*.py") + tree("*.pyi") if installed_name(path.parent) in PACKAGES]
    expected = {f"{installed_name(path.parent).replace('.', '/')}/{path.name}" for path in files}
    assert expected - shipped == set()


def test_no_source_of_the_extension_is_shipped(shipped: set[str]) -> None:
    assert sorted(name for name in shipped if name.endswith((".c", ".h", ".pyx", ".pxd", ".pxi"))) == []
    assert "tierce/__init__.py" not in shipped
