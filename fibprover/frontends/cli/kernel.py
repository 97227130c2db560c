"""`fibprover kernel install`: install the Jupyter kernel, or remove it.

The kernel itself is `fibprover.frontends.notebook.kernel`; this command tells Jupyter how to start it.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from fibprover.base.errors import FibproverError
from fibprover.frontends.cli.status import TRUE

_EXAMPLES = """\
examples:
  fibprover kernel install                  for this user
  fibprover kernel install --sys-prefix     for the Python environment of fibprover
  fibprover kernel install --name walnut    under another name: notebooks made for that kernel open with it
  fibprover kernel uninstall

Needs the extra `notebook`: pip install 'fibprover[notebook]'
"""

#: The names of kernels that Jupyter accepts.
_NAME = re.compile(r"[a-z0-9._-]+", re.IGNORECASE | re.ASCII)

_ACTIONS = ("install", "uninstall")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("action", choices=_ACTIONS, metavar="ACTION", help="install or uninstall")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--user", action="store_true", help="for this user (the default)")
    where.add_argument("--prefix", metavar="DIR", help="below DIR, in share/jupyter/kernels")
    where.add_argument("--sys-prefix", action="store_true", help="below the folder of this Python environment")
    parser.add_argument(
        "--name", default="fibprover", metavar="NAME", help="the name of the kernel in notebooks (default fibprover)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Install or remove the kernel, and print its folder."""
    missing = [name for name in ("ipykernel", "jupyter_client") if find_spec(name) is None]
    if missing:
        raise FibproverError(
            f"the kernel needs {' and '.join(missing)}, which is not installed",
            hint="pip install 'fibprover[notebook]'",
        )
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    name = arguments.name
    if not _NAME.fullmatch(name):
        raise FibproverError(f"{name!r} is not a name for a kernel", hint="letters, digits and . _ -")
    manager = KernelSpecManager()
    prefix = sys.prefix if arguments.sys_prefix else arguments.prefix
    if arguments.action == "install":
        with TemporaryDirectory() as folder:
            (Path(folder) / "kernel.json").write_text(json.dumps(specification(name), indent=1) + "\n")
            place = manager.install_kernel_spec(folder, name, user=prefix is None, prefix=prefix)
        print(f"installed the kernel {name} in {place}")
        return TRUE
    if prefix is not None:
        # Only this place, even if there are kernels of this name elsewhere.
        manager.kernel_dirs = [str(Path(prefix) / "share" / "jupyter" / "kernels")]
        manager.ensure_native_kernel = False
    try:
        specification_there = manager.get_kernel_spec(name)
        if "fibprover.frontends.notebook" not in specification_there.argv:
            raise FibproverError(f"the kernel {name} in {specification_there.resource_dir} is not fibprover's")
        place = manager.remove_kernel_spec(name)
    except (NoSuchKernel, KeyError):
        raise FibproverError(f"no kernel called {name} is installed here") from None
    print(f"removed the kernel {name} from {place}")
    return TRUE


def specification(name: str) -> dict[str, object]:
    """Return the kernel specification: the command that starts the kernel, and its names."""
    return {
        "argv": [sys.executable, "-m", "fibprover.frontends.notebook", "-f", "{connection_file}"],
        "display_name": "fibprover" if name == "fibprover" else f"fibprover ({name})",
        "language": "walnut",
        "interrupt_mode": "signal",
    }
