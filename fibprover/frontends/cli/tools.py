"""The tools that `fibprover serve` offers to other programs: questions that are answered by objects of JSON.

They leave files alone: what they are asked is in their arguments, and what they find in their answers.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, NotSupported
from fibprover.base.limits import Limits, limits_of_part, spending
from fibprover.checker import fibcheck
from fibprover.frontends.cli.run import about, outcome_json
from fibprover.frontends.cli.status import describe_error
from fibprover.frontends.conversation import output
from fibprover.frontends.conversation.warnings import parsed, warnings_about, warnings_json
from fibprover.language.commands import Command, DefCommand, EvalCommand, ends_session, iterate_script
from fibprover.workspace.guard import enforced
from fibprover.workspace.session import Session

if TYPE_CHECKING:
    from fibprover.sheets.sheet import Sheet

#: Seconds of a call, unless --timeout says otherwise.
SECONDS = 60.0

#: Tuples that are listed at most.
MOST_TUPLES = 1_000_000

#: Characters of a certificate that is answered at most.
MOST_OF_A_CERTIFICATE = 1 << 20

#: CPU seconds of a line of `study`.
SECONDS_OF_A_LINE = 10.0

#: Commands that read or write files; the program that calls has no business with them.
_FILES = ("load", "export")


class Tools:
    """A session whose methods answer with objects of JSON, errors included; to be called by one thread.

    limits: what each call may spend; a call may ask for fewer seconds.
    """

    def __init__(self, session: Session, limits: Limits) -> None:
        self.session = session
        self.limits = limits

    def decide(self, formula: str, system: str = "", seconds: float = 0.0, first: int = 10) -> dict[str, Any]:
        """Decide a formula.

        A closed formula has a verdict, true or false, with a witness or a counterexample where there is one; a formula
        with free variables describes a relation, of which the first tuples are listed.

        formula: such as "Ax,y x+y=y+x", or "?msd_fib Ei,n n>0 & At t<n => F[i+t]=F[i+t+n]".
        system: the numeration system of a formula that names none, such as msd_2, msd_fib, msd_trib or lsd_10.
        seconds: after so many the answer is an error; at most, and by default, the limit of the server.
        first: how many tuples to list, at most 1000000.
        """
        def answer() -> output.Json:
            text = f"?{self.session.namespace.system(system).name} {formula}" if system else formula
            source = parsed(text, self.session)
            warnings = warnings_about(source, self.session)
            outcome = self.session.eval(source or text)
            now, listed = self.session.options, min(max(0, first), MOST_TUPLES)
            result = output.json_of(outcome, now.plan, listed, with_trace=False, limits=now.limits)
            return result | warnings_json(warnings)

        return self._answered(seconds, answer)

    def define(self, commands: str, seconds: float = 0.0) -> dict[str, Any]:
        """Execute commands that define names, each ending in `;`, in Walnut's language.

        For example: def even "Ey n=2*y"; reg power2 msd_2 "0*10*"; morphism tm "0->01 1->10"; promote X tm;
        macro less "%0<%1"; eval check "An $even(2*n)"; describe X; test even 5;
        Afterwards formulas may use $even(n), $power2(n), X[n] and #less(a,b). Commands that read or write files are
        refused. The answer has one result for each command that was executed, and the error that ended them, if any.
        """
        results: list[output.Json] = []

        def answer() -> output.Json:
            for command in iterate_script(commands):
                if ends_session(command):
                    break
                results.append(self._executed(command, commands))
            return {"kind": "done"}

        return self._answered(seconds, answer) | {"results": results}

    def discover(
        self, game: str, terminal: str = "", system: str = "auto", largest: int = 0, seconds: float = 0.0
    ) -> dict[str, Any]:
        """Find the P-positions of a take-away game on two piles as an automaton, and prove them.

        game: which counters may be taken, as a formula in i and j, such as "i=0 | j=0 | i=j" (Wythoff's game), or in
        p,q,r,s for a step from (p,q) to (r,s); or the name of a known game, such as "blocking(3)".
        terminal: positions where the game ends, as a formula in p and q. system: numeration systems to try, separated
        by commas. largest: bound of the positions that are computed. `status` is "proved" if there is a theorem.
        """
        from fibprover.games.catalogue import game_of
        from fibprover.games.search import BOUNDS
        from fibprover.games.theorem import discover

        def answer() -> output.Json:
            named = system if system == "auto" else system.split(",")
            theorem = discover(
                game_of(game, terminal), named, limits=self.session.options.limits,
                largest=largest if largest > 0 else BOUNDS[-1],
            )
            return {"kind": "theorem", "text": str(theorem), **theorem.as_json()}

        return self._answered(seconds, answer)

    def solve(self, name: str, formula: str, by: str = "", seconds: float = 0.0) -> dict[str, Any]:
        """Define a relation or a sequence of numbers by a recursion, and prove that it is the only solution.

        name: of the relation, which formulas may call as $name(...) afterwards. formula: when the relation holds, which
        calls $name, such as "?msd_fib (n=0 & v=0) | Em,a,b n=m+1 & $g(m,a) & $g(a,b) & v+b=n" for Hofstadter's G; or
        equations of a sequence, such as "a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1" with the name a.
        by: a term that goes down with each call, by default a parameter or the sum of all. An error if nothing is
        proved; its message says what is known.
        """
        from fibprover.sequences.solution import SequenceSolution

        def answer() -> output.Json:
            found = self.session.solve(name, formula, by=by or None)
            if isinstance(found, SequenceSolution):
                return {"kind": "sequences", **found.as_json()}
            return {"kind": "answer", "text": str(found)}

        return self._answered(seconds, answer)

    def explain(self, formula: str, at: dict[str, int] | None = None, seconds: float = 0.0) -> dict[str, Any]:
        """Return why a formula is true or false: the truth of each of its parts.

        at: values of variables that are free, or of the first quantifiers, such as {"x": 3}. Below an E that is true
        and an A that is false, other variables have the least values that show it. `tree` has them as a text.
        """
        def answer() -> output.Json:
            source = parsed(formula, self.session)
            warnings = warnings_about(source, self.session)
            found = self.session.truths(source or formula, at or {})
            result: output.Json = {"kind": "truths", "formula": formula, "tree": str(found), **found.as_json()}
            return result | warnings_json(warnings)

        return self._answered(seconds, answer)

    def study(self, word: str, only: str = "", seconds: float = 0.0) -> dict[str, Any]:
        """Find theorems about a word or a sequence, and prove them: complexity, powers, palindromes and many others.

        word: a name such as "T", a morphism such as "0->01, 1->0", a number of the OEIS such as "A010060", equations
        such as "a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1". only: ids of lines, separated by commas, such as
        "complexity,squares"; by default all, which may take minutes. Lines that are not reached in time are open,
        or are not there: `unfinished` is their number.
        """
        from fibprover.sheets.study import study

        def answer() -> output.Json:
            _check_no_file(word)
            limits = self.session.options.limits
            wanted = [each.strip() for each in only.split(",") if each.strip()]
            # The lines have nine tenths of the call, so that those that are finished are answered.
            allowed = 0.9 * (limits.seconds or SECONDS)
            line = limits_of_part(min(SECONDS_OF_A_LINE, allowed), Limits(bytes=limits.bytes))
            grown: list[tuple[Sheet, int]] = []
            try:
                with spending(Limits(seconds=allowed).start()):
                    study(
                        word, only=wanted, limits=line, cpu_seconds=allowed,
                        show=lambda sheet, lines: grown.append((sheet, lines)),
                    )
            except BudgetSpent:
                if not grown:
                    raise
            sheet, lines = grown[-1]
            left = lines - len(sheet.lines)
            return {"kind": "sheet", "text": str(sheet), "lines": sheet.as_json(), "unfinished": left}

        return self._answered(seconds, answer)

    def infer(
        self, values: list[int], first: int = 0, systems: str = "", seconds: float = 0.0
    ) -> dict[str, Any]:
        """Guess the automatic word, or the linear representation, of which the first values of a sequence are given.

        values: a hundred or more. first: the index of the first one. systems: numeration systems to look in, separated
        by commas, by default common ones. The answer is a guess that fits all values, of the `kind` "none" if none is.
        """
        from fibprover.frontends.cli.infer import json_of_conjecture, json_of_nothing
        from fibprover.sheets.no_automaton import NoAutomaton
        from fibprover.sheets.search import suggested
        from fibprover.sheets.terms import terms_from

        def answer() -> output.Json:
            terms = terms_from(values, first)
            chosen = [self.session.namespace.system(each.strip()) for each in systems.split(",") if each.strip()]
            try:
                found = suggested(terms, "", chosen, self.session.options.limits)
            except NoAutomaton as none:
                return json_of_nothing(none)
            return json_of_conjecture(found, "W", terms)

        return self._answered(seconds, answer)

    def certify(self, formula: str, seconds: float = 0.0) -> dict[str, Any]:
        """Decide a closed formula, and return a certificate: a proof of the verdict, step by step, for `check`.

        The certificate is a text, one object of JSON on each line; the checker knows nothing of the prover.
        """
        def answer() -> output.Json:
            verdict = self.session.prove(formula)
            lines = [output.dumped(dict(line)) for line in verdict.certificate().lines]
            text = "".join(f"{line}\n" for line in lines)
            if len(text) > MOST_OF_A_CERTIFICATE:
                raise LimitError(
                    f"the certificate has {len(text):,} characters, and an answer {MOST_OF_A_CERTIFICATE:,} at most",
                    hint="fibprover eval --certificate FILE writes it",
                )
            return {"kind": "certificate", "verdict": verdict.truth, "certificate": text}

        return self._answered(seconds, answer)

    def check(self, certificate: str, seconds: float = 0.0) -> dict[str, Any]:
        """Check a certificate, and return whether it is valid, and what it proves in its own words.

        certificate: the text that `certify` has returned, or the text of another certificate.
        """
        def answer() -> output.Json:
            limits = self.session.options.limits
            with tempfile.TemporaryDirectory(prefix="fibprover-") as folder:
                file = Path(folder) / "certificate.jsonl"
                file.write_text(certificate, "utf-8", "replace")
                return _checked(str(file), limits.seconds or SECONDS)

        return self._answered(seconds, answer)

    def _executed(self, command: Command, script: str) -> output.Json:
        """Execute a command of a script; return its result with the warnings about it."""
        exports = any(each.words[0] == "export" for each in command.metacommands)
        if command.word in _FILES or exports:
            raise NotSupported(
                f"{'[export]' if exports else command.word} is refused: the server leaves files alone", script,
                command.span.start, command.word_span.end,
            )
        formula = command.text if isinstance(command, DefCommand | EvalCommand) else None
        source = None if formula is None else parsed(formula, self.session)
        warnings = warnings_about(source, self.session)
        outcome = self.session.execute(command, script, source)
        how = argparse.Namespace(
            plan=self.session.options.plan, first=10, trace=False, vacuity=False, vacuity_deep=False
        )
        return about(command) | outcome_json(command, outcome, how) | warnings_json(warnings)

    def _answered(self, seconds: float, answer: Callable[[], output.Json]) -> output.Json:
        """Return an answer within the limits, or the error in its place."""
        try:
            with self._limited(seconds):
                return answer()
        except FibproverError as problem:
            return output.json_of_error(problem)
        except Exception as problem:  # a defect, or no memory: the next call may succeed
            message, _ = describe_error(problem)
            return {"kind": "error", "error": type(problem).__name__, "message": message, "hint": ""}

    @contextmanager
    def _limited(self, seconds: float) -> Iterator[None]:
        """Let the session spend what one call may."""
        most = self.limits.seconds or SECONDS
        limits = replace(self.limits, seconds=min(seconds, most) if seconds > 0 else most)
        before = self.session.options
        self.session.options = replace(before, limits=limits)
        try:
            with enforced(limits):
                yield
        finally:
            self.session.options = before


def _check_no_file(word: str) -> None:
    """Raise NotSupported for a word that `study` would read from a file."""
    is_text = "->" in word or "\u2192" in word or "=" in word
    if not is_text and (Path(word).suffix in (".txt", ".json") or "/" in word or "\\" in word):
        raise NotSupported("files are not read: the server leaves files alone", word, 0, len(word))


def _checked(file: str, seconds: float) -> output.Json:
    """Return what the checker says of a file."""
    try:
        checker = fibcheck.check(file, seconds=seconds)
    except fibcheck.Invalid as problem:
        return {"kind": "check", "valid": False, "reason": str(problem), "proves": []}
    except fibcheck.Malformed as problem:
        raise FibproverError(f"no certificate: {problem}") from None
    return {"kind": "check", "valid": True, "reason": "", "proves": list(checker.understood())}
