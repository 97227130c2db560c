"""`fibprover eval FORMULA`: the verdict on a formula, or the relation it defines."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fibprover.base.errors import FibproverError
from fibprover.base.limits import Limits
from fibprover.frontends.cli.status import FALSE, TRUE
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress
from fibprover.frontends.conversation.warnings import (
    LocatedWarning,
    add_vacuity_arguments,
    parsed,
    vacuity_json,
    vacuity_text,
    warnings_about,
    warnings_json,
)
from fibprover.frontends.display.text import (
    certified_text,
    evidence_text,
    nondeterministic_text,
    relation_parts,
)
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.commands.interpreter import Outcome

if TYPE_CHECKING:
    from fibprover.language.source import Source
    from fibprover.prover.certificate.writing import Certificate
    from fibprover.sequences.series import Series
    from fibprover.workspace.session import Session

_EXAMPLES = """\
examples:
  fibprover eval 'Ax,y x+y=y+x'
  fibprover eval 'Ex x*x=2'                        an error, with the place
  fibprover eval '?msd_fib Ex,y x<y & x+y=8'       TRUE, with the least x and y
  fibprover eval --system msd_fib 'a+b=c & c<6'    the relation of a, b and c
  fibprover eval --plan textbook --trace 'An Em m>n'
  fibprover eval --certificate sum.jsonl.gz 'Ax,y x+y=y+x'
  fibprover eval --vacuity 'An n<5 => Em m=n+1'    names the parts that do not matter
  fibprover eval --latex 'a+b=c & c<6'             a part of a LaTeX document
  fibprover eval --counts n --matrices f.sage 'i<n'  how many i there are for each n
  fibprover eval --nfa 'Ei,j n=i+j & T[i]=T[j]'    the automaton is not determinized

A formula that begins with - comes after --.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("formula", metavar="FORMULA", help="a formula, in quotes")
    add_outcome_arguments(parser)
    parser.add_argument(
        "--certificate", metavar="FILE", help="write a proof of the verdict, for fibprover check"
    )
    parser.add_argument(
        "--counts", metavar="NAME[,NAME...]", help="count the values of all other variables, for each value of these"
    )
    parser.add_argument(
        "--matrices", metavar="FILE", help="write the linear representation of --counts: *.mpl, .m, .wl, .sage or .json"
    )
    parser.add_argument(
        "--nfa", action="store_true", help="do not determinize the automaton of a formula that begins with E"
    )
    parser.add_argument(
        "--nfa-file", metavar="FILE", help="the same, and write it: *.txt (Walnut's format), *.gv (graphviz) or *.ba"
    )
    options.add_plan_argument(parser)
    options.add_session_arguments(parser)
    options.add_reading_arguments(parser)
    options.add_limit_arguments(parser)


def add_outcome_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for printing outcomes."""
    parser.add_argument(
        "-n", "--first", type=options.count, default=10, metavar="N",
        help="how many tuples of a relation to list (default 10)",
    )
    parser.add_argument("--trace", action="store_true", help="list the steps with the sizes of their automata")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    output.add_latex_argument(parser)
    options.add_evidence_argument(parser)
    add_vacuity_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Evaluate the formula and print the outcome."""
    formula = arguments.formula
    output.as_latex(arguments)  # or an error
    if arguments.counts is None and arguments.matrices is not None:
        raise FibproverError("--matrices needs --counts", hint="as in --counts n")
    nondeterministic = arguments.nfa or arguments.nfa_file is not None
    if nondeterministic:
        _check_nondeterministic(arguments)
    with Progress(arguments.progress) as progress, output.reported(arguments, progress), options.from_shell(formula):
        session = options.session(arguments, progress)
        source = parsed(formula, session)
        warnings = warnings_about(source, session)
        for warning in warnings:
            progress.warn(f"warning: {warning}")
        if nondeterministic:
            progress.say(_undeterminized(session, source or formula, arguments, warnings))
            return TRUE
        outcome = session.eval(source or formula)
        proved: Outcome | Series = outcome
        if arguments.counts is not None:
            if isinstance(outcome, Verdict):
                raise FibproverError("the formula has no free variables, so there is nothing to count")
            names = [name.strip() for name in arguments.counts.split(",")]
            # A certificate is about a formula; otherwise the relation that there is suffices.
            formal = None if arguments.certificate is None else source
            proved = sequence = session.counts(names, outcome if formal is None else formal.formula)
            progress.say(_counted(sequence, arguments, warnings))
        elif arguments.json:
            answer = json_of(outcome, arguments, limits=session.options.limits)
            progress.say(output.dumped(answer | warnings_json(warnings)))
        else:
            for part in parts(outcome, arguments, limits=session.options.limits):
                progress.say(part)
        if arguments.certificate is not None:
            progress.title = "certificate"
            certified(proved).write(arguments.certificate)
    return status(outcome)


def _check_nondeterministic(arguments: argparse.Namespace) -> None:
    """Raise FibproverError for options that need the automaton determinized, and for a file of unknown kind."""
    for option in ("counts", "certificate", "vacuity", "vacuity_deep", "trace", "latex"):
        if getattr(arguments, option):
            raise FibproverError(f"--{option.replace('_', '-')} does not go with --nfa")
    if arguments.nfa_file is not None and Path(arguments.nfa_file).suffix.lower() not in (".txt", ".gv", ".ba"):
        raise FibproverError(f"--nfa-file {arguments.nfa_file} is neither *.txt nor *.gv nor *.ba")


def _undeterminized(
    session: Session, formula: Source | str, arguments: argparse.Namespace, warnings: Sequence[LocatedWarning]
) -> str:
    """Write the nondeterministic automaton, if that is wanted, and return the text of the answer."""
    relation = session.nondeterministic(formula if isinstance(formula, str) else formula.formula)
    if arguments.nfa_file is not None:
        session.export(relation, Path(arguments.nfa_file).suffix[1:], arguments.nfa_file)
    limits = session.options.limits
    if not arguments.json:
        return nondeterministic_text(relation, arguments.first, limits)
    text = formula if isinstance(formula, str) else formula.text
    return output.dumped(
        output.json_of_nondeterministic(relation, text, arguments.plan, arguments.first, limits)
        | warnings_json(warnings)
    )


def _counted(sequence: Series, arguments: argparse.Namespace, warnings: Sequence[LocatedWarning]) -> str:
    """Write the matrices of the counts, if that is wanted, and return the text of the answer."""
    if arguments.matrices is not None:
        sequence.write(arguments.matrices)
    if output.as_latex(arguments):
        return output.latex_text(sequence)
    if not arguments.json:
        return str(sequence)
    return output.dumped({"kind": "answer", "text": str(sequence)} | warnings_json(warnings))


def certified(outcome: Outcome | Series) -> Certificate:
    """Return the certificate of a verdict, or of a sequence that counts."""
    if isinstance(outcome, Relation):
        raise FibproverError(
            "a formula with free variables has no certificate: it is neither true nor false",
            hint="quantify them, or count with --counts",
        )
    return outcome.certificate()


def json_of(
    outcome: Outcome, arguments: argparse.Namespace, *, checked: bool = True, limits: Limits | None = None
) -> output.Json:
    """Return an outcome as JSON; checked: whether to add vacuity if it is requested; limits: of the list of tuples."""
    answer = output.json_of(outcome, arguments.plan, arguments.first, with_trace=arguments.trace, limits=limits)
    return answer | vacuity_json(outcome, arguments) if checked else answer


def parts(
    outcome: Outcome, arguments: argparse.Namespace, *, checked: bool = True, limits: Limits | None = None
) -> Iterator[str]:
    """Yield an outcome as pieces of text, each computed when it is asked for; arguments as for `json_of`.

    So a verdict can be printed before its evidence and vacuous parts are known, and a long list as it is found:
    `| head` need not wait for its end.
    """
    if output.as_latex(arguments):
        yield output.latex_text(outcome)
        return
    if arguments.trace:
        yield output.trace_text(outcome.trace)
    if isinstance(outcome, Verdict):
        yield output.verdict_text(outcome)
        yield from filter(None, [evidence_text(outcome), certified_text(outcome)])
    else:
        yield from relation_parts(outcome, arguments.first, limits)
    if checked and (parts := vacuity_text(outcome, arguments)):
        yield parts


def status(outcome: Outcome) -> int:
    """Return the exit status for an outcome; a relation is neither true nor false, and has the status of TRUE."""
    return FALSE if isinstance(outcome, Verdict) and not outcome.truth else TRUE
