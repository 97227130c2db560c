"""Runs one step of an installation and says how long it took.

    python .ci/step.py 'compiling the kernels' COMMAND ARGUMENT...

On a terminal the seconds are counted while the command runs.  What it prints is shown if it fails; the exit status is
that of the command.
"""

import subprocess
import sys
import tempfile
import time


def run(what: str, command: list[str]) -> int:
    """Run the command, show its time, and return its exit status."""
    begun = time.monotonic()
    live = sys.stdout.isatty()
    print(f"{what}: ", end="", flush=True)
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        except OSError as problem:
            print("failed")
            print(f"{command[0]}: {problem.strerror}", file=sys.stderr)
            return 127
        try:
            status = _wait(process, f"{what}: " if live else "", begun)
        except KeyboardInterrupt:  # the command has got the signal too
            process.wait()
            print("interrupted")
            return 130
        seconds = f"{time.monotonic() - begun:.0f} s{', failed' * (status != 0)}"
        print(f"\r{what}: {seconds}" if live else seconds, flush=True)
        if status:
            output.seek(0)
            sys.stderr.write(output.read().decode(errors="replace"))
    return status if status >= 0 else 128 - status


def _wait(process: "subprocess.Popen[bytes]", line: str, begun: float) -> int:
    """Wait for the process; meanwhile repaint the line, unless it is empty, with the seconds so far."""
    while True:
        try:
            return process.wait(timeout=1 if line else None)
        except subprocess.TimeoutExpired:
            print(f"\r{line}{time.monotonic() - begun:.0f} s", end="", flush=True)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2:]))
