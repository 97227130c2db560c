"""Build the compiled kernels; everything else about the package is in pyproject.toml.

With FIBPROVER_PURE=1 nothing is compiled: a wheel is then for every platform, and runs on kernels in Python (`make`
compiles by itself, and then lets pip link to the checkout).  With FIBPROVER_PURE=0 a compiler that is missing, or
fails, is an error; otherwise it is a warning, and fibprover is installed without compiled kernels.

With FIBPROVER_THEOREMS=0 the package has no theorems: a page in a browser, which loads all of it, wants none.

With FIBPROVER_SANITIZE=address the kernels check all indices of memory views, and run under AddressSanitizer and UBSan;
with FIBPROVER_SANITIZE=thread they run under ThreadSanitizer.  See `make test-sanitized`.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

PURE = os.environ.get("FIBPROVER_PURE", "")
if PURE not in ("", "0", "1"):
    raise SystemExit(f"FIBPROVER_PURE={PURE} is neither 1 (no compiled kernels) nor 0 (they have to be compiled)")
SANITIZE = os.environ.get("FIBPROVER_SANITIZE", "")
if SANITIZE not in ("", "address", "thread"):
    raise SystemExit(f"FIBPROVER_SANITIZE={SANITIZE} is neither address nor thread")

#: How many modules are translated, and then compiled, at a time.  That takes most of the time of an installation.
PARALLEL = os.cpu_count() or 1

if SANITIZE:
    COMPILE = ["-O1", "-g1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=undefined", "-std=c++17"]
    SANITIZERS = ["-fsanitize=address,undefined" if SANITIZE == "address" else "-fsanitize=thread"]
elif sys.platform == "win32":
    COMPILE = ["/O2", "/std:c++17"]
    SANITIZERS = []
else:
    # Without -g0 most of what is installed would be debugging information, as many Pythons ask for it.  With -O3, which
    # they ask for too, compiling takes a fifth longer and proofs are no faster.
    COMPILE = ["-O2", "-g0", "-std=c++17"]
    SANITIZERS = []


def extensions() -> list[Extension]:
    """Return the extensions, translated to C++."""
    from Cython.Build import cythonize  # here, as nothing else needs it

    modules = [
        Extension(
            f"fibprover_ext.{name}",
            [f"fibprover_ext/{name}.pyx"],
            language="c++",
            extra_compile_args=COMPILE + SANITIZERS,
            extra_link_args=SANITIZERS,
            include_dirs=["fibprover_ext"],
            depends=["fibprover_ext/hash_table.hpp", "fibprover_ext/sorting.hpp", "fibprover_ext/successors.hpp"],
        )
        # The largest first: the others are translated and compiled meanwhile.
        for name in ("automata", "inference", "games")
    ]
    # What is translated for one of the sanitizers is the same for the other.
    folder = "build/sanitized/cython" if SANITIZE else "build/cython"
    made: list[Extension] = cythonize(
        modules,
        build_dir=folder,
        nthreads=PARALLEL,
        # It compares the sources alone, but what is in this file changes the translation, or how that is compiled.
        force=any(each.stat().st_mtime < Path(__file__).stat().st_mtime for each in Path(folder).rglob("*.cpp")),
        compiler_directives={
            "language_level": "3",
            "boundscheck": bool(SANITIZE),
            "wraparound": False,
            "initializedcheck": bool(SANITIZE),
            "cdivision": True,
            "embedsignature": True,
            "freethreading_compatible": False,
            # What has the type of a class is not None: attributes are read without a check.
            "allow_none_for_extension_args": False,
        },
    )
    for module in made:
        # Set here, as cythonize forgets it.
        module.optional = PURE != "0" and not SANITIZE
    return made


class WithTheorems(build_py):
    """Copies the scripts of theorems and the atlas into the package, unless pip links to the checkout."""

    def run(self) -> None:
        """Build the package."""
        super().run()
        if self.editable_mode or os.environ.get("FIBPROVER_THEOREMS") == "0":
            return
        root, built = Path(__file__).parent / "proofs", Path(self.build_lib) / "fibprover" / "proofs"
        for file in sorted(root.rglob("*")):
            if file.suffix in (".py", ".toml", ".json", ".txt", ".md") and file.is_file():
                target = built / file.relative_to(root)
                target.parent.mkdir(parents=True, exist_ok=True)
                self.copy_file(str(file), str(target))


def description(folder: Path) -> str:
    """Return README.md for an index of packages, where links to files of the project lead nowhere.

    They become links to the address that pyproject.toml has as `Source`, and words as long as it has none.
    """
    readme, settings = folder / "README.md", folder / "pyproject.toml"
    if not readme.is_file() or not settings.is_file():
        return ""
    urls = tomllib.loads(settings.read_text(encoding="utf-8"))["project"].get("urls", {})
    address = urls.get("Source", "").rstrip("/")
    shown = rf"[\1]({address}/blob/main/\2)" if address else r"\1"
    return re.sub(r"\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)", shown, readme.read_text(encoding="utf-8"))


def write_tables() -> None:
    """Write the tables of the parser; without lark, or where nothing may be written, they are made at run time."""
    script = Path(__file__).with_name("fibprover") / "language" / "tables.py"
    written = script.with_name("grammar.json")
    try:
        subprocess.run([sys.executable, script, written], check=True, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        print("the tables of the parser will be made when the first formula is read", file=sys.stderr)


if __name__ == "__main__":  # not in the processes that translate, which may import this file
    write_tables()
    setup(
        ext_modules=[] if PURE == "1" else extensions(), options={"build_ext": {"parallel": PARALLEL}},
        cmdclass={"build_py": WithTheorems}, long_description=description(Path(__file__).parent),
        long_description_content_type="text/markdown",
    )
