"""The proof of a theorem about a game as a script of formulas, with the automata that it speaks about.

`fibprover run` checks it, and so does Walnut, as far as it has the numeration system, unless options may be blocked:
that takes counting quantifiers, which Walnut has not.  The script is the proof: it says what a move is and
asks for what `fibprover.games.proof` decides, kind of move by kind of move.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from fibprover.automata.dfa import Dfa
from fibprover.errors import FibproverError
from fibprover.games.findings.context import Finding
from fibprover.games.formulas import parse_rule, substitute_terms
from fibprover.games.report import game_title, listed, rules_in_words, sentence, shorten
from fibprover.games.rules import STEPS, VARIABLES, Game
from fibprover.io.walnut import automaton_text
from fibprover.names import NAME
from fibprover.values import value

if TYPE_CHECKING:
    from fibprover.games.theorem import Theorem

WIDTH = 110

#: Systems that Walnut has of its own, besides bases.
IN_WALNUT = ("msd_fib", "msd_trib", "msd_pell")

_COMMAND = re.compile(r'(def|eval)(?: (\w+))? "([^"]*)"')
_CALL = re.compile(r"\$(\w+)")


@value
class ProofScript:
    """A script, and by their names the automata that have to be loaded for it, as texts in Walnut's format."""

    text: str
    automata: Mapping[str, str]


def proof_script(theorem: Theorem, name: str) -> ProofScript:
    """The script that proves a theorem and its findings; its automata and commands are called `name` and more.

    FibproverError for a name that is none, and unless the theorem is proved.
    """
    if not NAME.fullmatch(name):
        raise FibproverError(
            f"{name!r} cannot begin the names of a script",
            hint="a script is called by a letter, then letters, digits or _, as in k2.txt",
        )
    return _Writer(theorem, name).script()


class _Writer:
    """A script under construction; known: what may be called in it, by the name in findings."""

    def __init__(self, theorem: Theorem, name: str) -> None:
        self.theorem = theorem
        self.game: Game = theorem.game
        self.name = name
        self.system = theorem.system.name
        self.automata: dict[str, Dfa] = {"P": theorem.automaton}
        self.known = {"P"}
        self.lines: list[str] = []

    def script(self) -> ProofScript:
        self.rules()
        if self.game.blocked:
            self.counted()
        else:
            self.plain()
        for finding in self.theorem.findings:
            self.finding(finding)
        texts = {f"{self.name}_{known}": automaton_text(found) for known, found in self.automata.items()}
        return ProofScript("\n".join([*self.head(), *self.lines]) + "\n", texts)

    # -- lines -------------------------------------------------------------------------------------------

    def remark(self, text: str) -> None:
        """A comment, of as many lines as it takes."""
        self.lines += ["", *_remark(text)]

    def command(self, word: str, name: str, formula: str, system: str | None = None) -> None:
        """A definition or an evaluation of a formula in which definitions go by their short names."""
        full = _CALL.sub(lambda call: f"${self.name}_{call[1]}", formula)
        self.lines.append(f'{word} {self.name}_{name} "?{system or self.system} {full}":')
        if word == "def":
            self.known.add(name)

    def head(self) -> Iterator[str]:
        """What the script is, and how it is run."""
        theorem, name = self.theorem, self.name
        files = [f"{name}_{known}.txt" for known in self.automata]
        yield from _remark(
            f"{game_title(self.game)}.  {'  '.join(rules_in_words(self.game))}  The P-positions (a,b) are "
            f"${name}_P(a,b), an automaton with {theorem.automaton.states} states over {self.system}."
        )
        yield "#"
        yield f"# fibprover run {' '.join(f'--load {file}' for file in files)} {name}.txt"
        if self.game.blocked:
            yield "# Walnut has no counting quantifiers, and cannot read this."
        else:
            known = self.system in IN_WALNUT or re.fullmatch(r"msd_[0-9]+", self.system)
            needs = "" if known else f" (it needs the numeration system {self.system} as a custom base)"
            yield from _remark(
                f'Walnut{needs}: put {listed(files)} into the folder "Automata Library", this file into "Command '
                f'Files", and say: load {name}.txt;'
            )

    # -- the rules ---------------------------------------------------------------------------------------

    def rules(self) -> None:
        """Terminal positions, and that the moves are what they are said to be and make p+q smaller."""
        game = self.game
        self.remark("Terminal positions.")
        self.command("def", "T", f"p>=0 & q>=0 & ({game.terminal_formula('p', 'q')})" if game.terminal else "p<0 & q<0")
        self.remark("A move leads from (p,q) to (r,s) by one of these kinds; it makes p+q smaller.")
        whole = parse_rule(game.formula, VARIABLES[game.form], "the moves")
        kinds = " | ".join(f"({kind})" for kind in game.kinds)
        if game.form == STEPS:
            said, given = f"p>=0 & q>=0 & r>=0 & s>=0 & ({game.formula})", kinds
            self.command("eval", "moves", f"Ap,q,r,s ({said}) <=> ({given})", "msd_2")
        else:
            moved = parse_rule(kinds, VARIABLES[STEPS], "the moves")
            given = substitute_terms(moved, {"p": "r+i", "q": "s+j"})
            said = substitute_terms(whole, {})
            self.command("eval", "moves", f"Ai,j,r,s ((i>0 | j>0) & ({said})) <=> ({given})", "msd_2")
        for number, kind in enumerate(game.kinds, start=1):
            self.command("eval", f"smaller_{number}", f"Ap,q,r,s ({kind}) => r+s<p+q", "msd_2")
        self.remark("Terminal positions are in the set.")
        self.command("eval", "terminal", "Ap,q $T(p,q) => $P(p,q)")

    def plain(self) -> None:
        """Without blocking: into which positions a move of each kind leads."""
        kinds = list(enumerate(self.game.kinds, start=1))
        self.remark("Positions from which a move of a kind leads into the set.")
        for number, kind in kinds:
            self.command("def", f"reach_{number}", f"p>=0 & q>=0 & (Er,s $P(r,s) & ({kind}))")
        self.remark("Stable: from no position of the set that is not terminal a move leads into it.")
        for number, _ in kinds:
            self.command("eval", f"stable_{number}", f"Ap,q ($P(p,q) & ~$T(p,q)) => ~$reach_{number}(p,q)")
        self.remark("Absorbing: from every other position a move does.")
        reached = " | ".join(f"$reach_{number}(p,q)" for number, _ in kinds) or "p<0"
        self.command("eval", "absorbing", f"Ap,q $P(p,q) | {reached}")

    def counted(self) -> None:
        """With blocking: at least so many options in the set, by one kind of move and by the first kinds together."""
        enough = self.game.blocked + 1
        kinds = list(enumerate(self.game.kinds, start=1))
        self.remark("kind_K_N: by moves of kind K at least N options are in the set; first_K_N: by kinds 1 to K.")
        for number, kind in kinds:
            for least in range(1, enough + 1):
                self.command(
                    "def", f"kind_{number}_{least}", f"p>=0 & q>=0 & (E>={least} r,s $P(r,s) & ({kind}))"
                )
        for least in range(1, enough + 1):
            self.command("def", f"first_1_{least}", f"$kind_1_{least}(p,q)" if kinds else "p<0 & q<0")
        for number, _ in kinds[1:]:
            before = f"first_{number - 1}"
            for least in range(1, enough + 1):
                ways = [f"$kind_{number}_{least}(p,q)", f"${before}_{least}(p,q)"]
                ways += [
                    f"($kind_{number}_{part}(p,q) & ${before}_{least - part}(p,q))" for part in range(1, least)
                ]
                self.command("def", f"first_{number}_{least}", " | ".join(ways))
        many = f"$first_{max(len(kinds), 1)}_{enough}(p,q)"
        self.remark(f"Stable: no position of the set that is not terminal has {enough} options in it.")
        self.command("eval", "stable", f"Ap,q ($P(p,q) & ~$T(p,q)) => ~{many}")
        self.remark(f"Absorbing: every other position has {enough} options in it.")
        self.command("eval", "absorbing", f"Ap,q $P(p,q) | {many}")

    # -- findings ----------------------------------------------------------------------------------------

    def finding(self, finding: Finding) -> None:
        """The commands of a finding, if all that they call is at hand."""
        commands = [found for line in finding.script if (found := _COMMAND.fullmatch(line)) is not None]
        here = self.known | set(finding.automata) | {found[2] for found in commands if found[1] == "def"}
        called = {call for found in commands for call in _CALL.findall(found[3])}
        if not commands or len(commands) < len(finding.script) or not called <= here:
            return
        self.automata |= finding.automata
        self.known |= set(finding.automata)
        self.remark(sentence(shorten(finding.statement)))
        slug = re.sub(r"\W+", "_", finding.name)
        for number, found in enumerate(commands, start=1):
            self.command(found[1], found[2] or f"{slug}_{number}", found[3])


def _remark(text: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False, break_on_hyphens=False
    )

