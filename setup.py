"""Builds the compiled kernels; everything else about the package is in pyproject.toml."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = sorted(path.as_posix() for path in Path("fibprover_ext").glob("*.pyx"))

# Without -g0 most of what is installed would be debugging information, as many Pythons ask for it.
COMPILE_FLAGS = ["/O2", "/std:c++17"] if os.name == "nt" else ["-O3", "-g0", "-std=c++17"]

extensions = [
    Extension(
        source.removesuffix(".pyx").replace("/", "."),
        [source],
        language="c++",
        extra_compile_args=COMPILE_FLAGS,
        include_dirs=["fibprover_ext"],
    )
    for source in KERNELS
]

setup(
    ext_modules=cythonize(
        extensions,
        build_dir="build/cython",
        compiler_directives={
            "language_level": "3",
            "boundscheck": False,
            "wraparound": False,
            "initializedcheck": False,
            "cdivision": True,
            "embedsignature": True,
            "freethreading_compatible": False,
        },
    ),
    # The C++ compiler takes most of the time of an installation.
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
