"""`fibprover check FILE`: check certificates, by the checker that knows nothing of fibprover."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

from fibprover.base.errors import BudgetSpent, FibproverError, size_text
from fibprover.base.files import make_folder, write_text
from fibprover.checker import fibcheck
from fibprover.frontends.conversation import options
from fibprover.prover.certificate.checking import verified_checker

_EXAMPLES = """\
examples:
  fibprover eval --certificate sum.jsonl.gz 'Ax,y x+y=y+x'
  fibprover check sum.jsonl.gz
  fibprover check --explain sum.jsonl.gz                 in words, for a referee
  fibprover check --explain --html sum.html sum.jsonl.gz     the same as a page, which needs no network
  fibprover check --lean sum.lean sum.jsonl.gz           the theorem for Lean 4 with Mathlib, without a proof
  fibprover check build/certificates --results done.jsonl    a folder; later only what is new

It prints the meaning of the names in the statement, the proved statement, and VALID; or INVALID and the step that
does not follow. The checker is one file, fibprover/checker/fibcheck.py; a copy of it runs without fibprover:
python fibcheck.py FILE.

exit status:
  0 valid, 1 invalid, 2 not a certificate, 3 a budget was spent
"""

#: What the check of one file of a folder may take where no limit is given.
_SECONDS = 3600.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("file", metavar="FILE", help="a certificate, or a folder of certificates")
    parser.add_argument(
        "--explain", action="store_true",
        help="print the statement in words and as LaTeX, the names, the rules that are used, and what is trusted",
    )
    parser.add_argument("--json", action="store_true", help="answer in JSON, with --explain or of a folder")
    parser.add_argument("--html", metavar="PAGE", help="with --explain, write a page instead of printing")
    parser.add_argument(
        "--lean", metavar="PATH",
        help="write what is proved for Lean 4 with Mathlib, with `sorry` as its proof: a file, or of a folder a folder",
    )
    group = parser.add_argument_group("folders")
    group.add_argument(
        "-j", "--jobs", type=options.positive, metavar="N", help="how many at once (default: one on each core)"
    )
    group.add_argument(
        "--results", metavar="FILE", help="keep what is found in this file, and do not check again what it has"
    )
    group.add_argument(
        "--both", action="store_true", help="by the checker that is proved in Coq, too, which `make verified` builds"
    )
    group = parser.add_argument_group("limits")
    options.add_resource_arguments(group, "wall time of the whole command, of a folder that of each file")
    parser.set_defaults(max_states=None)


def run(arguments: argparse.Namespace) -> int:
    """Check the file, or the folder, and return the exit status."""
    if arguments.html is not None and (not arguments.explain or arguments.json):
        raise FibproverError("--html works only with --explain, and without --json", hint="add --explain")
    if arguments.html is not None and Path(arguments.html).resolve() == Path(arguments.file).resolve():
        raise FibproverError(f"{arguments.html} is the certificate itself", hint="write the page to another file")
    budget = options.limits(arguments).start()
    room = whole = budget.room()
    if arguments.max_memory is None and whole > fibcheck.MOST_MEMORY:
        room = fibcheck.MOST_MEMORY
        budget = replace(budget, bytes=room, memory_hint="--max-memory SIZE lets the check take more")
    if arguments.lean is not None and (arguments.explain or arguments.json or arguments.both or arguments.results):
        raise FibproverError("--lean works without --explain, --json, --both and --results")
    if Path(arguments.file).is_dir():
        if arguments.explain:
            raise FibproverError("one certificate is explained at a time", hint="name a file of the folder")
        return _folder(arguments, whole) if arguments.lean is None else _lean_folder(arguments, room)
    if arguments.both:
        raise FibproverError("--both is for folders", hint="call the program itself: build/fibcheck-verified FILE")
    if arguments.json and not arguments.explain:
        raise FibproverError("a check is answered in JSON with --explain, or of a folder")
    try:
        if arguments.lean is not None:
            return _lean(arguments.file, arguments.lean, room)
        return _explained(arguments, room) if arguments.explain else fibcheck.report(arguments.file, room)
    except fibcheck.TooLarge as problem:
        raise budget.spent("bytes", during=f"{arguments.file}, {problem}") from None


def _explained(arguments: argparse.Namespace, room: int) -> int:
    """Print what a certificate proves, and return the exit status."""
    from fibprover.prover.certificate.explained import explained

    try:
        found = explained(arguments.file, memory=room)
    except fibcheck.TooLarge:
        raise
    except (fibcheck.Malformed, fibcheck.Invalid):
        return fibcheck.report(arguments.file, room)
    if arguments.html is not None:
        from fibprover.frontends.display.certificate_page import certificate_page

        write_text(arguments.html, certificate_page(found, fibcheck.shown(Path(arguments.file).name)))
        print(f"{arguments.html}: the page\n\nVALID")
    else:
        print(json.dumps(found.plain()) if arguments.json else f"{found}\n\nVALID")
    return 0


def _lean(file: str, target: str, room: int) -> int:
    """Write the theorem of a certificate for Lean, and return the exit status."""
    from fibprover.prover.certificate.lean import lean_file

    if Path(target).resolve() == Path(file).resolve():
        raise FibproverError(f"{target} is the certificate itself", hint="write the theorem to another file")
    try:
        found = lean_file(file, memory=room)
    except fibcheck.TooLarge:
        raise
    except (fibcheck.Malformed, fibcheck.Invalid):
        return fibcheck.report(file, room)
    write_text(target, found.text)
    named = f"; without a meaning, and automata there: {', '.join(found.undefined)}" if found.undefined else ""
    print(f"{fibcheck.shown(target)}: the theorem {found.name}, without a proof{named}\n\nVALID")
    return 0


def _lean_folder(arguments: argparse.Namespace, room: int) -> int:
    """Write the theorems of all certificates in a folder for Lean, and return the exit status."""
    from fibprover.campaigns.certificates import INVALID, NONE, files_of
    from fibprover.prover.certificate.lean import lean_file

    folder, target = Path(arguments.file), Path(arguments.lean)
    files, done, defined = files_of(folder), 0, 0
    if not files:
        raise FibproverError(f"{folder} has no certificates")
    for file in files:
        place = file.relative_to(folder)
        written = target / place.with_name(place.name.removesuffix(".gz").removesuffix(".jsonl") + ".lean")
        try:
            found = lean_file(file, arguments.timeout or _SECONDS, room)
        except (fibcheck.Malformed, fibcheck.Invalid) as problem:
            verdict = INVALID if isinstance(problem, fibcheck.Invalid) else NONE
            print(f"{verdict:<15}{fibcheck.shown(str(place))}  {fibcheck.shown(str(problem))}", flush=True)
            continue
        except BudgetSpent:
            raise
        except FibproverError as problem:
            print(f"{'not written':<15}{fibcheck.shown(str(place))}  {problem.message}", flush=True)
            continue
        make_folder(written.parent)
        write_text(written, found.text)
        done, defined = done + 1, defined + (not found.undefined)
        print(f"{'written':<15}{fibcheck.shown(str(written))}  {', '.join(found.undefined)}".rstrip(), flush=True)
    print(f"{done} of {len(files)} written, {defined} of them without an automaton that has no meaning")
    return 0 if done == len(files) else 2


def _folder(arguments: argparse.Namespace, room: int) -> int:
    """Print a line for each certificate in a folder, and return the exit status."""
    from fibprover.base.threads import cores
    from fibprover.campaigns.certificates import INVALID, VALID, check_folder, shares

    if arguments.both and verified_checker() is None:
        raise FibproverError("the checker that is proved in Coq is not built", hint="build it by `make verified`")
    folder = Path(arguments.file)
    jobs, memory = shares(arguments.jobs or cores(), room, given=arguments.max_memory is not None)
    kept = None if arguments.results is None else Path(arguments.results)
    found, known = [], 0
    for each, before in check_folder(
        folder, jobs, arguments.timeout or _SECONDS, memory, kept, arguments.both
    ):
        found.append(each)
        known += before
        if not arguments.json:
            reason = f"  {fibcheck.shown(each.reason)}" if each.reason else ""
            print(f"{each.verdict:<15}{each.seconds:>8.2f} s {size_text(each.bytes):>9}{each.claims:>8,} claims  "
                  f"{fibcheck.shown(each.file)}{reason}", flush=True)
    valid = sum(each.verdict == VALID for each in found)
    if arguments.json:
        print(json.dumps([asdict(each) for each in found]))
    else:
        again = f", {known} of them known before" if known else ""
        by = " by both checkers" if arguments.both else ""
        print(f"{valid} of {len(found)} valid{by}{again} ({sum(each.seconds for each in found):.1f} s of CPU time, "
              f"{size_text(sum(each.bytes for each in found))})")
    sys.stdout.flush()
    if any(each.verdict == INVALID for each in found):
        return 1
    return 0 if valid == len(found) else 2
