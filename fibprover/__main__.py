"""The command `fibprover`, and `python -m fibprover`: where the program begins.

It imports no other module before `main`, so that Ctrl-C ends the program in one line also while these are imported.
"""

import sys


def main() -> int:
    """Run the command line of this process and return the exit status."""
    try:
        from fibprover.frontends.cli import main as commands

        return commands.main()
    except KeyboardInterrupt:  # the commands have not begun to handle it, or have ended
        if sys.stderr is not None:  # closed by the caller
            sys.stderr.write("interrupted\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
