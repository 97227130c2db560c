"""Builds the compiled kernels; everything else about the package is in pyproject.toml."""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

extensions = [
    Extension(
        f"fibprover_ext.{name}",
        [f"fibprover_ext/{name}.pyx"],
        language="c++",
        # Without -g0 most of what is installed would be debugging information, as many Pythons ask for it.
        extra_compile_args=["-O3", "-g0", "-std=c++17"],
        include_dirs=["fibprover_ext"],
        depends=["fibprover_ext/hash_table.hpp"],
    )
    for name in ("automata", "games")
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
