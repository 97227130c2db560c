"""The proof of a theorem about a game as a script of commands, with the automata that it calls.

The script is the proof: it says what a move is and evaluates what `fibprover.games.proof` decides, kind of move by kind
of move.  `fibprover run` checks it.  So does Walnut, where it has the numeration system, unless options may be blocked:
that takes counting quantifiers, which Walnut does not have.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FibproverError
from fibprover.base.names import NAME
from fibprover.base.values import value
from fibprover.base.wording import plural
from fibprover.games.findings.context import Finding
from fibprover.games.formulas import parse_rule, substitute_terms
from fibprover.games.rules import STEPS, Game
from fibprover.games.theorem_text import (
    game_title,
    listed,
    positions_in_words,
    rules_in_words,
    sentence,
    shorten,
)
from fibprover.workspace.walnut import automaton_text

if TYPE_CHECKING:
    from fibprover.games.theorem import Theorem

WIDTH = 110

#: Systems that are built into Walnut, besides bases.
IN_WALNUT = ("msd_fib", "msd_trib", "msd_pell")

_CALL = re.compile(r"\$(\w+)")


@value
class ProofScript:
    """The text of a script, and the automata that it needs: by name, as texts in Walnut's format."""

    text: str
    automata: Mapping[str, str]


def proof_script(theorem: Theorem, name: str) -> ProofScript:
    """Return the script that proves a theorem and its findings; `name` begins the names of automata and commands.

    The theorem about positions of value g is proved after those about the values below g, whose sets are V0, V1, ...
    Raises FibproverError for an invalid name, and unless the theorem is proved.
    """
    if not NAME.fullmatch(name):
        raise FibproverError(
            f"{name!r} cannot begin the names in a script",
            hint="the name of a script is a letter, then letters, digits or _, as in k2.txt",
        )
    return _Writer(theorem, name).script()


class _Writer:
    """Writes a script; known: the predicates that may be called so far, without the prefix."""

    def __init__(self, theorem: Theorem, name: str) -> None:
        self.theorem = theorem
        self.game: Game = theorem.game
        self.name = name
        self.system = theorem.system.name
        self.source = ",".join(self.game.variables.source)
        self.target = ",".join(self.game.variables.target)
        self.natural = _each(self.game.variables.source, ">=0")
        smaller = theorem.discovery.smaller
        self.automata: dict[str, Dfa] = {f"V{value}": each for value, each in enumerate(smaller)}
        self.automata["P"] = theorem.automaton
        self.sets = tuple(self.automata)
        self.known = set(self.sets)
        self.lines: list[str] = []

    def script(self) -> ProofScript:
        """Return the script of the rules, the proof and the findings."""
        self.rules()
        if self.game.blocked:
            self.counted()
        else:
            for number, name in enumerate(self.sets):
                self.plain(name, self.sets[:number])
        for finding in self.theorem.findings:
            self.finding(finding)
        texts = {f"{self.name}_{known}": automaton_text(found) for known, found in self.automata.items()}
        return ProofScript("\n".join([*self.head(), *self.lines]) + "\n", texts)

    def comment(self, text: str) -> None:
        """Add a comment."""
        self.lines += ["", *_comment(text)]

    def command(self, word: str, name: str, formula: str, system: str | None = None) -> None:
        """Add a definition or an evaluation of a formula that calls definitions without the prefix."""
        full = _CALL.sub(lambda call: f"${self.name}_{call[1]}", formula)
        self.lines.append(f'{word} {self.name}_{name} "?{system or self.system} {full}":')
        if word == "def":
            self.known.add(name)

    def head(self) -> Iterator[str]:
        """Return the comments at the top: the theorem, and how to run the script."""
        theorem, name = self.theorem, self.name
        files = [f"{name}_{known}.txt" for known in self.automata]
        position = self.game.variables.position
        yield from _comment(
            f"{game_title(self.game)}.  {'  '.join(rules_in_words(self.game))}  "
            f"The {positions_in_words(theorem.value, position)} are ${name}_P({','.join(position)}), an automaton with "
            f"{plural(theorem.automaton.states, 'state')} over {self.system}."
        )
        sets = [f"${name}_{each}" for each in self.sets[:-1]]
        if self.game.passes:
            yield from _comment(f"Those of the game without the pass are {listed(sets)}.")
        elif sets:
            yield from _comment(f"Those of smaller values are {listed(sets)}, in this order.")
        yield "#"
        yield f"# fibprover run {' '.join(f'--load {file}' for file in files)} {name}.txt"
        if self.game.blocked:
            yield "# Walnut has no counting quantifiers and cannot run this script."
        else:
            recurrence = self.theorem.system.recurrence
            is_base = recurrence is not None and recurrence.order == 1
            built_in = is_base or self.system in IN_WALNUT
            needs = "" if built_in else f" (which needs the numeration system {self.system} as a custom base)"
            yield from _comment(
                f'In Walnut{needs}: put {listed(files)} into the folder "Automata Library" and this file into "Command '
                f'Files", then: load {name}.txt;'
            )

    def rules(self) -> None:
        """Add the terminal positions, and the proof that the kinds are all moves and make p+q smaller."""
        game = self.game
        by_end = game.misere or game.passes
        self.comment("Positions at which play has ended." if by_end else "Terminal positions.")
        names = game.variables
        none, fewer = _each(names.source, "<0"), f"{'+'.join(names.target)}<{'+'.join(names.source)}"
        ended = game.ended if by_end else game.terminal_formula(*names.source) if game.terminal else none
        whole = f"{self.natural} & ({ended})"
        self.command("def", "T", whole if game.terminal or by_end else ended)
        self.comment(
            f"A move leads from ({self.source}) to ({self.target}) by one of these kinds; it makes "
            f"{'+'.join(names.source)} smaller."
        )
        self.moves()
        for number, kind in enumerate(game.kinds, start=1):
            self.command("eval", f"smaller_{number}", f"A{self.source},{self.target} ({kind}) => {fewer}", "msd_2")
        self.comment("None of them is in the set." if game.misere else "They are in the set.")
        known = f"{'~' * game.misere}${self.sets[0]}({self.source})"
        self.command("eval", "terminal", f"A{self.source} $T({self.source}) => {known}")

    def moves(self) -> None:
        """Add the proof that the kinds are all moves."""
        game, names = self.game, self.game.variables
        kinds = " | ".join(f"({kind})" for kind in game.kinds)
        every = names.of_moves(STEPS)
        if game.form == STEPS:
            said = f"{_each(every, '>=0')} & ({game.formula})"
            self.command("eval", "moves", f"A{','.join(every)} ({said}) <=> ({kinds})", "msd_2")
            return
        taken = {
            before: f"{after}+{vector}"
            for before, after, vector in zip(names.source, names.target, names.vector, strict=True)
        }
        given = substitute_terms(parse_rule(kinds, every, "the moves"), taken)
        said = substitute_terms(parse_rule(game.formula, names.of_moves(game.form), "the moves"), taken)
        some = " | ".join(f"{vector}>0" for vector in names.vector)
        free = ",".join((*names.vector, *names.target))
        self.command("eval", "moves", f"A{free} (({some}) & ({said})) <=> ({given})", "msd_2")

    def plain(self, name: str, smaller: Sequence[str]) -> None:
        """Add the proof without blocking of one set: the positions from which a move of each kind leads into it.

        smaller: the sets of the positions of smaller values, which are proved already.
        """
        kinds = list(enumerate(self.game.kinds, start=1))
        mark = "" if name == "P" else f"_{name}"
        inside, outside, others = f"${name}({self.source})", "", self.others
        if self.game.passes:
            which = "while nobody has passed" if smaller else "without the pass"
            self.comment(f"{name}: the P-positions (a,b) {which}.")
        elif len(self.sets) > 1:
            self.comment(f"{name}: the {positions_in_words(len(smaller), self.game.variables.position)}.")
        if smaller and self.game.passes:
            others += "".join(f"${each}({self.source}) | " for each in smaller)
            outside = self.passing(inside, smaller[0])
        elif smaller:
            self.comment("Disjoint: no position of the set has a smaller value.")
            excluded = " & ".join(f"~${each}({self.source})" for each in smaller)
            self.command("eval", f"disjoint{mark}", f"A{self.source} {inside} => ({excluded})")
            others = "".join(f"${each}({self.source}) | " for each in smaller)
        else:
            outside = f" & ~$T({self.source})"
        self.comment("Positions from which a move of a kind leads into the set.")
        for number, kind in kinds:
            led = f"E{self.target} ${name}({self.target}) & ({kind})"
            self.command("def", f"reach_{number}{mark}", f"{self.natural} & ({led})")
        live = "at which play has not ended " if outside else ""
        self.comment(f"Stable: from no position of the set {live}a move leads into it.")
        for number, _ in kinds:
            reach = f"$reach_{number}{mark}({self.source})"
            self.command("eval", f"stable_{number}{mark}", f"A{self.source} ({inside}{outside}) => ~{reach}")
        no_less = "outside the sets above " if smaller else ""
        self.comment(f"Absorbing: from every other position {no_less}a move leads into it.")
        reached = " | ".join(f"$reach_{number}{mark}({self.source})" for number, _ in kinds) or "p<0"
        self.command("eval", f"absorbing{mark}", f"A{self.source} {inside} | {others}{reached}")

    def passing(self, inside: str, without: str) -> str:
        """Add that the set of a game with a pass is disjoint from the P-positions without it; return what is not live.

        In normal play the positions at which play has ended are excepted, since they are in both sets.
        """
        if self.game.misere:
            self.comment("Disjoint: no position of the set is a P-position without the pass, and play ends at none.")
            neither = f"~${without}({self.source}) & ~$T({self.source})"
            self.command("eval", "disjoint", f"A{self.source} {inside} => ({neither})")
            return ""
        self.comment("Positions at which play has ended are in the set; no other one is a P-position without the pass.")
        self.command("eval", "ended", f"A{self.source} $T({self.source}) => {inside}")
        live = f"{inside} & ~$T({self.source})"
        self.command("eval", "disjoint", f"A{self.source} ({live}) => ~${without}({self.source})")
        return f" & ~$T({self.source})"

    def counted(self) -> None:
        """Add the proof with blocking: the positions with at least N options in the set, by one kind of move and by
        the first K kinds together."""
        enough = self.game.blocked + 1
        kinds = list(enumerate(self.game.kinds, start=1))
        self.comment("kind_K_N: moves of kind K lead to at least N positions in the set; first_K_N: kinds 1 to K do.")
        for number, kind in kinds:
            for least in range(1, enough + 1):
                led = f"E>={least} {self.target} $P({self.target}) & ({kind})"
                self.command("def", f"kind_{number}_{least}", f"{self.natural} & ({led})")
        for least in range(1, enough + 1):
            one = f"$kind_1_{least}({self.source})" if kinds else _each(self.game.variables.source, "<0")
            self.command("def", f"first_1_{least}", one)
        for number, _ in kinds[1:]:
            before = f"first_{number - 1}"
            for least in range(1, enough + 1):
                ways = [f"$kind_{number}_{least}({self.source})", f"${before}_{least}({self.source})"]
                ways += [
                    f"($kind_{number}_{part}({self.source}) & ${before}_{least - part}({self.source}))"
                    for part in range(1, least)
                ]
                self.command("def", f"first_{number}_{least}", " | ".join(ways))
        many = f"$first_{max(len(kinds), 1)}_{enough}({self.source})"
        self.comment(f"Stable: no position of the set that is not terminal has {enough} options in it.")
        self.command("eval", "stable", f"A{self.source} ($P({self.source}) & ~$T({self.source})) => ~{many}")
        self.comment(f"Absorbing: every other position has {enough} options in it.")
        self.command("eval", "absorbing", f"A{self.source} $P({self.source}) | {self.others}{many}")

    @property
    def others(self) -> str:
        """The positions outside the set from which no move need lead into it."""
        return f"$T({self.source}) | " if self.game.misere else ""

    def finding(self, finding: Finding) -> None:
        """Add the commands of a finding, if all predicates that they call are known."""
        commands = finding.commands
        here = self.known | set(finding.automata) | {each.name for each in commands if each.word == "def"}
        called = {call for each in commands for call in _CALL.findall(each.formula)}
        if not commands or not called <= here:
            return
        self.automata |= finding.automata
        self.known |= set(finding.automata)
        self.comment(sentence(shorten(finding.statement)))
        slug = re.sub(r"\W+", "_", finding.name)
        for number, each in enumerate(commands, start=1):
            self.command(each.word, each.name or f"{slug}_{number}", each.formula)


def _each(names: Sequence[str], comparison: str) -> str:
    """Return that a comparison holds for all names."""
    return " & ".join(f"{name}{comparison}" for name in names)


def _comment(text: str) -> list[str]:
    """Return a comment as lines."""
    return textwrap.wrap(
        text, WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False, break_on_hyphens=False
    )
