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
from fibprover.games.findings.context import Finding, FindingCommand
from fibprover.games.rules import STEPS, Game
from fibprover.games.theorem_text import (
    game_title,
    listed,
    positions_in_words,
    rules_in_words,
    sentence,
    shorten,
)
from fibprover.language.builder import at_least, call, exists, forall
from fibprover.language.tree import Call, Formula, Quantified, Variable, conjunction, disjunction, nodes, with_names
from fibprover.workspace.walnut import automaton_text

if TYPE_CHECKING:
    from fibprover.games.theorem import Theorem

WIDTH = 110

#: Systems that are built into Walnut, besides bases.
IN_WALNUT = ("msd_fib", "msd_trib", "msd_pell")

@value
class ProofScript:
    """The text of a script, and the automata that it needs: by name, as texts in Walnut's format.

    commands: those of the text, in which the names of predicates have no prefix.
    """

    text: str
    automata: Mapping[str, str]
    commands: tuple[FindingCommand, ...] = ()


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
        names = self.game.variables
        self.source, self.target = (tuple(map(Variable, each)) for each in (names.source, names.target))
        self.natural = conjunction(pile >= 0 for pile in self.source)
        self.nowhere = conjunction(pile < 0 for pile in self.source)
        smaller = theorem.discovery.smaller
        self.automata: dict[str, Dfa] = {f"V{value}": each for value, each in enumerate(smaller)}
        self.automata["P"] = theorem.automaton
        self.sets = tuple(self.automata)
        self.known = set(self.sets)
        #: Comments, and commands.
        self.parts: list[str | FindingCommand] = []

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
        commands = tuple(part for part in self.parts if isinstance(part, FindingCommand))
        # Walnut has no counting quantifiers, and many copies of a formula in place of one take long.
        below = (node for each in commands for node in nodes(each.formula))
        counts = any(isinstance(node, Quantified) and node.relation for node in below)
        names = {known: f"{self.name}_{known}" for known in self.known}
        lines = [part if isinstance(part, str) else self.line(part, names, counts=counts) for part in self.parts]
        return ProofScript("\n".join([*self.head(counts=counts), *lines]) + "\n", texts, commands)

    def line(self, command: FindingCommand, names: Mapping[str, str], *, counts: bool) -> str:
        """Return a command as a line in which names have the prefix; counts: for fibprover, as Walnut has no counts."""
        formula = with_names(command.formula, {}, names)
        return f'{command.word} {self.name}_{command.name} "{formula if counts else formula.walnut()}":'

    def comment(self, text: str) -> None:
        """Add a comment."""
        self.parts += ["", *_comment(text)]

    def command(self, word: str, name: str, formula: Formula, system: str | None = None) -> None:
        """Add a definition or an evaluation."""
        self.parts.append(FindingCommand(word, name, formula.in_system(system or self.system)))
        if word == "def":
            self.known.add(name)

    def at_source(self, name: str) -> Formula:
        """Return that the positions (p,q), or (p,q,r), are in a set."""
        return call(name, *self.source)

    def every(self, formula: Formula) -> Formula:
        """Return that a formula holds for all positions (p,q), or (p,q,r)."""
        return forall(*self.source, formula)

    def head(self, *, counts: bool) -> Iterator[str]:
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
        if counts:
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
        """Add the terminal positions, and the proof that the kinds are all moves and make their measure smaller."""
        game = self.game
        by_end = game.misere or game.passes
        self.comment("Positions at which play has ended." if by_end else "Terminal positions.")
        if by_end:
            self.command("def", "T", self.natural & game.ended)
        else:
            self.command("def", "T", self.natural & game.terminal_source if game.end is not None else self.nowhere)
        source, target = _position(self.source), _position(self.target)
        less = game.measure(game.variables.source)
        self.comment(f"A move leads from {source} to {target} by one of these kinds; it makes {less} smaller.")
        self.moves()
        for number, kind in enumerate(game.kinds, start=1):
            smaller = forall(*self.source, *self.target, kind >> game.decreasing)
            self.command("eval", f"smaller_{number}", smaller, "msd_2")
        self.comment("None of them is in the set." if game.misere else "They are in the set.")
        lost = self.at_source(self.sets[0])
        self.command("eval", "terminal", self.every(self.at_source("T") >> (~lost if game.misere else lost)))

    def moves(self) -> None:
        """Add the proof that the kinds are all moves."""
        game, names = self.game, self.game.variables
        if game.form == STEPS:
            every = (*self.source, *self.target)
            said = conjunction(pile >= 0 for pile in every) & game.tree
            self.command("eval", "moves", forall(*every, said.iff(game.step)), "msd_2")
            return
        vector = tuple(map(Variable, names.vector))
        taken = dict(zip(names.source, (a + i for a, i in zip(self.target, vector, strict=True)), strict=True))
        some = disjunction(pile > 0 for pile in vector)
        same = (some & game.tree.substitute(taken)).iff(game.step.substitute(taken))
        self.command("eval", "moves", forall(*vector, *self.target, same), "msd_2")

    def plain(self, name: str, smaller: Sequence[str]) -> None:
        """Add the proof without blocking of one set: the positions from which a move of each kind leads into it.

        smaller: the sets of the positions of smaller values, which are proved already.
        """
        kinds = list(enumerate(self.game.kinds, start=1))
        mark = "" if name == "P" else f"_{name}"
        inside, ended = self.at_source(name), self.at_source("T")
        live: Formula = inside
        #: Where no move need lead into the set.
        others = [inside, *self.others]
        if self.game.passes:
            which = "while nobody has passed" if smaller else "without the pass"
            self.comment(f"{name}: the P-positions (a,b) {which}.")
        elif len(self.sets) > 1:
            self.comment(f"{name}: the {positions_in_words(len(smaller), self.game.variables.position)}.")
        if smaller and self.game.passes:
            others += map(self.at_source, smaller)
            live = self.passing(inside, self.at_source(smaller[0]))
        elif smaller:
            self.comment("Disjoint: no position of the set has a smaller value.")
            excluded = conjunction(~self.at_source(each) for each in smaller)
            self.command("eval", f"disjoint{mark}", self.every(inside >> excluded))
            others = [inside, *map(self.at_source, smaller)]
        else:
            live = inside & ~ended
        self.comment("Positions from which a move of a kind leads into the set.")
        for number, kind in kinds:
            led = exists(*self.target, call(name, *self.target) & kind)
            self.command("def", f"reach_{number}{mark}", self.natural & led)
        going_on = "" if live == inside else "at which play has not ended "
        self.comment(f"Stable: from no position of the set {going_on}a move leads into it.")
        reached = [self.at_source(f"reach_{number}{mark}") for number, _ in kinds]
        for (number, _), reach in zip(kinds, reached, strict=True):
            self.command("eval", f"stable_{number}{mark}", self.every(live >> ~reach))
        no_less = "outside the sets above " if smaller else ""
        self.comment(f"Absorbing: from every other position {no_less}a move leads into it.")
        self.command("eval", f"absorbing{mark}", self.every(disjunction([*others, *(reached or [self.nowhere])])))

    def passing(self, inside: Formula, without: Formula) -> Formula:
        """Add that the set of a game with a pass is disjoint from the P-positions without it; return what is live.

        In normal play the positions at which play has ended are excepted, since they are in both sets.
        """
        ended = self.at_source("T")
        if self.game.misere:
            self.comment("Disjoint: no position of the set is a P-position without the pass, and play ends at none.")
            self.command("eval", "disjoint", self.every(inside >> (~without & ~ended)))
            return inside
        self.comment("Positions at which play has ended are in the set; no other one is a P-position without the pass.")
        self.command("eval", "ended", self.every(ended >> inside))
        self.command("eval", "disjoint", self.every((inside & ~ended) >> ~without))
        return inside & ~ended

    def counted(self) -> None:
        """Add the proof with blocking: the positions with at least N options in the set, by one kind of move and by
        the first K kinds together."""
        enough = self.game.blocked + 1
        kinds = list(enumerate(self.game.kinds, start=1))
        self.comment("kind_K_N: moves of kind K lead to at least N positions in the set; first_K_N: kinds 1 to K do.")
        for number, kind in kinds:
            for least in range(1, enough + 1):
                led = at_least(least, *self.target, call("P", *self.target) & kind)
                self.command("def", f"kind_{number}_{least}", self.natural & led)
        for least in range(1, enough + 1):
            self.command("def", f"first_1_{least}", self.at_source(f"kind_1_{least}") if kinds else self.nowhere)
        for number, _ in kinds[1:]:
            before = f"first_{number - 1}"
            for least in range(1, enough + 1):
                ways: list[Formula] = [self.at_source(f"kind_{number}_{least}"), self.at_source(f"{before}_{least}")]
                ways += [
                    self.at_source(f"kind_{number}_{part}") & self.at_source(f"{before}_{least - part}")
                    for part in range(1, least)
                ]
                self.command("def", f"first_{number}_{least}", disjunction(ways))
        inside, many = self.at_source("P"), self.at_source(f"first_{max(len(kinds), 1)}_{enough}")
        self.comment(f"Stable: no position of the set that is not terminal has {enough} options in it.")
        self.command("eval", "stable", self.every((inside & ~self.at_source("T")) >> ~many))
        self.comment(f"Absorbing: every other position has {enough} options in it.")
        self.command("eval", "absorbing", self.every(disjunction([inside, *self.others, many])))

    @property
    def others(self) -> list[Formula]:
        """The positions outside the set from which no move need lead into it."""
        return [self.at_source("T")] if self.game.misere else []

    def finding(self, finding: Finding) -> None:
        """Add the commands of a finding, if all predicates that they call are known."""
        commands = finding.commands
        here = self.known | set(finding.automata) | {each.name for each in commands if each.word == "def"}
        called = {node.name for each in commands for node in nodes(each.formula) if isinstance(node, Call)}
        if not commands or not called <= here:
            return
        self.automata |= finding.automata
        self.known |= set(finding.automata)
        self.comment(sentence(shorten(finding.statement)))
        slug = re.sub(r"\W+", "_", finding.name)
        for number, each in enumerate(commands, start=1):
            self.command(each.word, each.name or f"{slug}_{number}", each.formula)


def _position(names: Sequence[Variable]) -> str:
    return f"({','.join(map(str, names))})"


def _comment(text: str) -> list[str]:
    """Return a comment as lines."""
    return textwrap.wrap(
        text, WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False, break_on_hyphens=False
    )
