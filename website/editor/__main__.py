"""Make fibprover/frontends/web/assets/codemirror.js of the packages that package.json pins: `python -m website.editor`.

The file is kept in the repository, so that an installation needs neither npm nor a network.  It begins with the notices
of the packages in it, whose licence asks for that.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from fibprover.base.files import write_text

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = ROOT / "fibprover" / "frontends" / "web" / "assets" / "codemirror.js"

#: Not in the file: the program that makes it, and what it is made of.
_TOOLS = ("esbuild", "@esbuild")


def make(build: Path = ROOT / "build" / "editor") -> None:
    """Bring the packages with npm, and write the file."""
    if shutil.which("npm") is None:
        raise SystemExit("npm is not installed")
    build.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "codemirror.js"):
        shutil.copy(HERE / name, build / name)
    subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=build, check=True)
    bundled = subprocess.run(
        ["node_modules/.bin/esbuild", "codemirror.js", "--bundle", "--minify", "--format=esm", "--target=es2022"],
        cwd=build, check=True, capture_output=True, text=True,
    ).stdout
    write_text(TARGET, f"/*!\n{notices(build / 'node_modules')}*/\n{bundled}")


def notices(modules: Path) -> str:
    """Return the licences of the packages, each once, below the packages that have it."""
    found: dict[str, list[str]] = {}
    for file in sorted([*modules.glob("*/LICENSE"), *modules.glob("@*/*/LICENSE")]):
        name = file.parent.relative_to(modules).as_posix()
        if name.split("/")[0] not in _TOOLS:
            found.setdefault(file.read_text(encoding="utf-8").strip(), []).append(name)
    assert all("Permission is hereby granted, free of charge" in licence for licence in found)
    return "\n".join(f"{', '.join(names)}\n\n{licence}\n" for licence, names in found.items())


if __name__ == "__main__":
    make()
