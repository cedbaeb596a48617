"""Builds the native engine. Everything else about the package is declared in pyproject.toml.

The hot module, solver/search/_engine.pyx, is built twice from the same source: as `_engine` with the platform's
plain flags and, on x86-64, also as `_engine_v3` with the instructions of x86-64-v3 (popcnt, BMI2, AVX2). Which of
the two serves is decided when tierce.solver.search is imported. solver/hints/_playouts.pyx and
solver/piles/_piles.pyx are built once.

Switches, read from the environment:
  TIERCE_DEBUG=1     -O1 -g, Cython's own checks, and the asserts of bits.h
  TIERCE_SANITIZE=1  address and undefined-behaviour sanitizers
  TIERCE_WERROR=1    warnings of the C compiler and of Cython, and Cython's performance hints, are errors

Running this file also makes the links build/ns/tierce/<name> -> <folder>, by which Cython and mypy find the
folders under their installed names.
"""

import contextlib
import io
import os
import re
import sys
import sysconfig
import tomllib
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
SEARCH = Path("solver/search")
HINTS = Path("solver/hints")
PILES = Path("solver/piles")
NAMESPACE = Path("build/ns")
ON_X86_64 = sysconfig.get_platform().endswith("x86_64")


def switch(name: str) -> bool:
    """Whether an environment variable is set to something other than nothing and 0."""
    return os.environ.get(name, "") not in ("", "0")


DEBUG, SANITIZE, WERROR = (switch(f"TIERCE_{name}") for name in ("DEBUG", "SANITIZE", "WERROR"))

# Cython's directives stand here and not in `# cython:` comments: a comment in a .pyx does not reach the functions of
# the .pxd files, and nothing overrides it for a debug build. wraparound and cdivision stay as they are in a debug
# build: turning them back would change what the code computes, not check it.
DIRECTIVES = {
    "autotestdict": False,  # no __test__ ...
    "auto_pickle": False,  # ... and no __reduce_cython__, which stubtest would miss in the .pyi
    "wraparound": False,
    "cdivision": True,
    "boundscheck": DEBUG,
    "initializedcheck": DEBUG,
}

COMPILE = ["-O1", "-g", "-UNDEBUG", "-DTIERCE_DEBUG"] if DEBUG else ["-O3", "-g0"]
LINK: list[str] = []
if SANITIZE:
    COMPILE += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
    LINK += ["-fsanitize=address,undefined"]
if WERROR:
    # The three exceptions are habits of the C that Cython writes, not of ours.
    COMPILE += ["-Wall", "-Wextra", "-Werror"]
    COMPILE += ["-Wno-unused-parameter", "-Wno-missing-field-initializers", "-Wno-cast-function-type"]


def link_namespace() -> None:
    """Make build/ns/tierce mirror the table [tool.setuptools.package-dir]."""
    with open(ROOT / "pyproject.toml", "rb") as file:
        folders = tomllib.load(file)["tool"]["setuptools"]["package-dir"]
    names = ROOT / NAMESPACE / "tierce"
    names.mkdir(parents=True, exist_ok=True)
    wanted = {names / package.removeprefix("tierce."): ROOT / folder for package, folder in folders.items()}
    for link in set(names.iterdir()) - set(wanted):
        link.unlink()
    for link, folder in wanted.items():
        target = os.path.relpath(folder, names)
        if not link.is_symlink() or os.readlink(link) != target:
            link.unlink(missing_ok=True)
            link.symlink_to(target, target_is_directory=True)


def second_source() -> Path:
    """Copy _engine.pyx (and its .pxd, if any) to the name of the x86-64-v3 build; return the copy's path."""
    copy = Path("build/v3/tierce") / SEARCH / "_engine_v3.pyx"
    (ROOT / copy).parent.mkdir(parents=True, exist_ok=True)
    for suffix in (".pyx", ".pxd"):
        source, target = ROOT / SEARCH / f"_engine{suffix}", (ROOT / copy).with_suffix(suffix)
        if not source.exists():
            target.unlink(missing_ok=True)
        elif not target.exists() or target.read_bytes() != source.read_bytes():
            target.write_bytes(source.read_bytes())
    return copy


def engines() -> list[Extension]:
    """The extension modules: the search, also for x86-64-v3 where that can be of use, the playouts, and the piles."""
    builds: list[tuple[str, Path, list[str]]] = [("_engine", SEARCH / "_engine.pyx", [])]
    if ON_X86_64:
        builds.append(("_engine_v3", second_source(), ["-march=x86-64-v3"]))
    return [
        *(extension(f"tierce.solver.search.{name}", source, flags, SEARCH) for name, source, flags in builds),
        extension("tierce.solver.hints._playouts", HINTS / "_playouts.pyx", [], SEARCH, HINTS),
        extension("tierce.solver.piles._piles", PILES / "_piles.pyx", [], SEARCH, PILES),
    ]


def extension(name: str, source: Path, flags: list[str], *folders: Path) -> Extension:
    """A module; `folders`: where the headers lie that it is made from."""
    headers = (path for folder in folders for path in (ROOT / folder).iterdir() if path.suffix in (".h", ".pxd"))
    return Extension(
        name,
        [str(source)],
        include_dirs=[str(SEARCH)],
        depends=sorted(str(path.relative_to(ROOT)) for path in headers),
        extra_compile_args=[*COMPILE, *flags],
        extra_link_args=LINK,
    )


def refuse_directive_comments() -> None:
    """Stop at a `# cython:` comment that would silently win over DIRECTIVES."""
    for path in sorted(path for folder in (SEARCH, HINTS, PILES) for path in (ROOT / folder).glob("*.p[yx]*")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.match(r"#\s*cython:", line) and any(name in line for name in DIRECTIVES):
                where = f"{path.relative_to(ROOT)}:{number}"
                raise SystemExit(f"{where}: expected directives in setup.py only (see there why), found {line!r}")


class Tee(io.StringIO):
    """Passes on what is written to it and keeps a copy."""

    def write(self, text: str) -> int:
        print(text, end="", file=sys.__stderr__)
        return super().write(text)


class BuildEngine(build_ext):
    """build_ext that runs Cython when something is really built, and notices a change of switches."""

    def run(self) -> None:
        state = f"{DIRECTIVES} {COMPILE} {LINK}"
        stamp = Path(self.build_temp) / "switches.txt"
        if not stamp.exists() or stamp.read_text() != state:
            self.force = True
        self.parallel = True
        self.translate()
        super().run()
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(state)

    def translate(self) -> None:
        """Turn .pyx into C under build/cython; with TIERCE_WERROR refuse anything Cython has to say."""
        from Cython.Build import cythonize  # here, so that making an sdist needs no Cython

        refuse_directive_comments()
        said = Tee()
        with contextlib.redirect_stderr(said):
            translated = cythonize(
                self.extensions,
                build_dir="build/cython",
                include_path=[str(NAMESPACE)],
                compiler_directives=DIRECTIVES,
                force=self.force or WERROR,
            )
        for extension, new in zip(self.extensions, translated, strict=True):
            extension.sources = new.sources
        if WERROR and any(word in said.getvalue() for word in ("warning:", "performance hint:")):
            raise SystemExit("TIERCE_WERROR: expected no warnings and no performance hints from Cython")

    def copy_extensions_to_source(self) -> None:
        self.force = True  # the module in place may be newer and yet of other switches
        super().copy_extensions_to_source()


link_namespace()
setup(ext_modules=engines(), cmdclass={"build_ext": BuildEngine})
