"""The pictures of the documentation: each is what a command on a page makes.

`python -m tests.pictures` makes them anew.  Versions of graphviz, matplotlib and TeX draw the same a little
differently, so pictures are compared by what they show: states and edges, squares, or how they look from afar.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.display.structure import of_svg, squares

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "img"
GALLERY = ROOT / "docs" / "gallery.md"

#: Names of pictures that a page shows.
_SHOWN = re.compile(r"\]\((?:docs/)?img/([\w.]+)\)")
_BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^(?:\$|>>>) (.*)$", re.MULTILINE)


def mirror(folder: Path) -> Path:
    """Makes a folder look like that of the project; what is written into it is not written there."""
    for entry in ROOT.iterdir():
        (folder / entry.name).symlink_to(entry)
    return folder


def written(folder: Path) -> list[Path]:
    """The files that were written into a mirror; of TeX documents also the pictures, where TeX is installed."""
    files = [file for file in sorted(folder.iterdir()) if not file.is_symlink() and file.is_file()]
    for file in [file for file in files if file.suffix == ".tex"]:
        if shutil.which("pdflatex") and shutil.which("pdftoppm"):
            tex = ["pdflatex", "-interaction=batchmode", "-halt-on-error", file.name]
            subprocess.run(tex, cwd=folder, check=True, capture_output=True, timeout=120)
            image = ["pdftoppm", "-r", "110", "-png", "-singlefile", file.with_suffix(".pdf").name, f"{file.stem}_tikz"]
            subprocess.run(image, cwd=folder, check=True, timeout=120)
            files.append(folder / f"{file.stem}_tikz.png")
    return [file for file in files if file.suffix in (".svg", ".png")]


def shown_on(page: Path) -> set[str]:
    """The names of the pictures on a page."""
    return set(_SHOWN.findall(page.read_text()))


def alike(one: Path, other: Path) -> bool:
    """Return whether two pictures show the same."""
    if one.suffix == ".png":
        return _distance(one, other) < 2 and _amounts_agree(one, other)
    first, second = one.read_text(), other.read_text()
    if 'class="frame"' in first:
        return squares(first) == squares(second)
    return of_svg(first) == of_svg(second)


def _distance(one: Path, other: Path) -> float:
    """By how much the grey of two images differs in the mean, seen from afar; of 255."""
    from PIL import Image

    def grey(file: Path) -> bytes:
        with Image.open(file) as image:
            return image.convert("L").resize((48, 48), Image.Resampling.BOX).tobytes()

    pairs = list(zip(grey(one), grey(other), strict=True))
    return sum(abs(a - b) for a, b in pairs) / len(pairs)


def _amounts_agree(one: Path, other: Path) -> bool:
    """Return whether two boards have as much of each colour, but for one part in 200."""
    from PIL import Image

    def amounts(file: Path) -> dict[object, int]:
        with Image.open(file) as image:
            colours = image.convert("RGB").getcolors(1 << 24) or ()
        wanted = [tuple(bytes.fromhex(colour[1:])) for colour in ("#222222", "#c8372d", "#2e8b3d", "#2b5fb8")]
        return {colour: count for count, colour in colours if colour in wanted}

    first, second = amounts(one), amounts(other)
    return all(
        abs(first.get(colour, 0) - second.get(colour, 0)) <= max(first.get(colour, 0) / 200, 20)
        for colour in first.keys() | second.keys()
    )


def main() -> None:
    """Carries out the commands of the gallery, and keeps what they draw."""
    environment = dict(os.environ) | {"PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as place:
        folder = mirror(Path(place))
        python = []
        for kind, block in _BLOCK.findall(GALLERY.read_text()):
            lines = _COMMAND.findall(block)
            if kind == "pycon":
                python += lines
                continue
            for line in lines:
                subprocess.run(
                    [sys.executable, "-m", *shlex.split(line)], cwd=folder, env=environment, check=True,
                    stdout=subprocess.DEVNULL,
                )
        subprocess.run([sys.executable, "-c", "\n".join(python)], cwd=folder, env=environment, check=True)
        for file in written(folder):
            shutil.copy(file, PICTURES / file.name)
            print(PICTURES / file.name)


if __name__ == "__main__":
    main()
