"""Build the compiled kernels; everything else about the package is in pyproject.toml.

With FIBPROVER_SANITIZE=1 the kernels check all indices of memory views, and run under AddressSanitizer and UBSan; see
`make test-sanitized`.
"""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

SANITIZE = os.environ.get("FIBPROVER_SANITIZE") == "1"

if SANITIZE:
    COMPILE = ["-O1", "-g1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=undefined", "-std=c++17"]
    SANITIZERS = ["-fsanitize=address,undefined"]
else:
    # Without -g0 most of what is installed would be debugging information, as many Pythons ask for it.
    COMPILE = ["-O3", "-g0", "-std=c++17"]
    SANITIZERS = []

extensions = [
    Extension(
        f"fibprover_ext.{name}",
        [f"fibprover_ext/{name}.pyx"],
        language="c++",
        extra_compile_args=COMPILE + SANITIZERS,
        extra_link_args=SANITIZERS,
        include_dirs=["fibprover_ext"],
        depends=["fibprover_ext/hash_table.hpp", "fibprover_ext/sorting.hpp"],
    )
    for name in ("automata", "inference", "games")
]

setup(
    ext_modules=cythonize(
        extensions,
        build_dir="build/sanitized/cython" if SANITIZE else "build/cython",
        compiler_directives={
            "language_level": "3",
            "boundscheck": SANITIZE,
            "wraparound": False,
            "initializedcheck": SANITIZE,
            "cdivision": True,
            "embedsignature": True,
            "freethreading_compatible": False,
            # What has the type of a class is not None: attributes are read without a check.
            "allow_none_for_extension_args": False,
        },
    ),
    # The C++ compiler takes most of the time of an installation.
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
