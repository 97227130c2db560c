"""The paper's commands are all there, its sets and sequences are those of the games, and what printed formulas miss."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import isqrt

import pytest

import fibprover as fp
from fibprover.campaigns.theorems.chapter import DeclaredDefinition, DeclaredScript, DeclaredTheorem
from fibprover.language.commands import DefCommand, EvalCommand, OperationCommand, RegCommand, parse_script
from tests.proofs.chapters import CLAIMS, FOUND, PROOFS, session, theorem

Position = tuple[int, int]

# -- the 72 commands ---------------------------------------------------------------------------------

COMMANDS = parse_script((PROOFS / "paper_commands.txt").read_text())


def declared() -> set[tuple[str, ...]]:
    """The commands that the chapters carry out; `eval` by its formula, since theorems have ids of their own."""
    found: set[tuple[str, ...]] = set()
    for chapter in FOUND.chapters:
        for step in chapter.declarations:
            match step:
                case DeclaredScript():
                    for command in parse_script(step.text):
                        if isinstance(command, OperationCommand) and command.word in ("slope", "word", "family"):
                            continue  # no paper prints these
                        assert isinstance(command, DefCommand | RegCommand)
                        found.add((command.name, command.text))
                case DeclaredDefinition():
                    found.add((step.name, step.formula))
                case DeclaredTheorem() if step.form == "printed":
                    found.add(("eval", step.formula))
    return found


def test_every_printed_command_is_carried_out_as_it_is_printed() -> None:
    assert len(COMMANDS) == 72
    done = declared()
    for command in COMMANDS:
        assert isinstance(command, DefCommand | EvalCommand | RegCommand)
        name = "eval" if isinstance(command, EvalCommand) else command.name
        assert (name, command.text) in done, command.name


def test_what_the_paper_only_describes_is_there_too() -> None:
    names = {claim.id for claim in CLAIMS if isinstance(claim, DeclaredTheorem) and claim.form == "printed"}
    wanted = {"K4.stable.printed", "K4.absorbing.printed", "K3.matcha.printed", "K3.matchb.printed"}
    wanted |= {f"K{level}.nr_{number}.printed" for level, number in product((1, 2, 3, 4), (1, 2, 3))}
    assert wanted <= names


def test_the_published_numbers_of_states() -> None:
    numbers = {claim.states_paper: claim.id for claim in CLAIMS if claim.states_paper is not None}
    assert numbers == {
        27: "pposK2", 449: "K3.stable.printed", 2130: "K2.nr_3.printed", 5140: "K4.nr_3.printed",
        73: "pposW2", 6452: "W2.stable.printed", 34813: "W2.absorbing.printed", 11000: "W2.cases.two_in_a_row",
        28: "pposW3", 116141: "W3.absorbing.printed",
    }


# -- the sets are those of the games, by recursion -----------------------------------------------------


def options(x: int, y: int) -> list[Position]:
    """Wythoff's moves."""
    found = [(x - i, y) for i in range(1, x + 1)] + [(x, y - i) for i in range(1, y + 1)]
    return found + [(x - i, y - i) for i in range(1, min(x, y) + 1)]


def p_positions(size: int, terminal: int = -1, blocked: int = 0) -> set[Position]:
    """P-positions below `size` with the terminal positions x+y <= terminal and so many blocked options."""
    found: set[Position] = set()
    for total in range(2 * size - 1):
        for x in range(max(0, total - size + 1), min(size, total + 1)):
            y = total - x
            if total <= terminal or len(found.intersection(options(x, y))) <= blocked:
                found.add((x, y))
    return found


def members(relation: fp.Relation) -> set[Position]:
    return {(a, b) for a, b in relation}


@pytest.mark.parametrize(
    ("title", "name", "rules"),
    [
        ("Wythoff's game", "ppos", {"terminal": 0}),
        ("The game K^1", "P", {"terminal": 1}),
        ("The game K^2", "P", {"terminal": 2}),
        ("The sequences of K^2", "P", {"terminal": 2}),
        ("The game K^3", "P", {"terminal": 3}),
        ("The game K^4", "P", {"terminal": 4}),
        ("The game W^2", "R", {"blocked": 1}),
        ("The game W^3", "R", {"blocked": 2}),
    ],
)
def test_the_set_is_that_of_the_game(title: str, name: str, rules: dict[str, int]) -> None:
    relation = session(title).relation(f"${name}(a,b) & a<60 & b<60")
    assert members(relation) == p_positions(60, **rules)


def test_the_printed_set_of_k2_lacks_one_position() -> None:
    relation = session("The game K^2").relation("$pposK2(a,b) & a<60 & b<60")
    assert p_positions(60, 2) - members(relation) == {(1, 1)}


# -- the sequences, by their recursion -------------------------------------------------------------------


def by_mex(level: int, count: int) -> list[Position]:
    """(a_n, b_n) for n < count by Theorem 17."""
    used, found = set(range(level + 1)), []
    for n in range(count):
        a = next(x for x in range(2 * count + 2 * level + 2) if x not in used)
        b = a + n + level + 1
        used |= {a, b}
        found.append((a, b))
    return found


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_the_sequences_are_those_of_the_recursion(level: int) -> None:
    made = session(f"The sequences of K^{level}")
    pairs = members(made.relation("(En $an(a,n) & $bn(b,n)) & a<100"))
    expected = by_mex(level, 100)
    assert pairs == {(a, b) for a, b in expected if a < 100}
    assert members(made.relation("$an(a,n) & n<60")) == {(a, n) for n, (a, _) in enumerate(expected[:60])}


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_lambda_is_what_it_should_be(level: int) -> None:
    made = session(f"The sequences of K^{level}")
    expected: dict[int, list[int]] = {}
    for n, (a, _) in enumerate(by_mex(level, 300)):
        k = n + level
        expected.setdefault(a - (k + isqrt(5 * k * k)) // 2, []).append(n)
    sets = {name: made.relation(f"${name}(n)") for name in made.namespace.definitions if name.startswith("lambda_")}
    for name, relation in sets.items():
        value = int(name.removeprefix("lambda_").replace("minus_", "-"))
        assert [n for n in range(300) if n in relation] == expected.pop(value)
    assert expected == {}


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_words_code_the_sequences(level: int) -> None:
    made = session(f"The word of K^{level}")
    pairs = by_mex(level, 100)
    for letter, side in ((1, 0), (2, 1)):
        places = made.relation(f"F{level}G{level}[m]={letter} & m<100").values(100)
        assert places == sorted(x for pair in pairs if (x := pair[side] - level - 1) in range(100))


# -- redundant moves, by recursion ------------------------------------------------------------------------


def needed(positions: set[Position], blocked: int, most: int, size: int) -> dict[str, set[int]]:
    """The moves up to `most`, by kind, that some N-position below `size` needs: its P-options are just enough."""
    found: dict[str, set[int]] = {"row": set(), "column": set(), "diagonal": set()}
    for x, y in product(range(size), repeat=2):
        winning = positions.intersection(options(x, y))
        if (x, y) in positions or len(winning) != blocked + 1:
            continue
        for r, s in winning:
            kind = "row" if s == y else "column" if r == x else "diagonal"
            if (move := max(x - r, y - s)) <= most:
                found[kind].add(move)
    return found


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_no_small_move_of_k_is_redundant(level: int) -> None:
    found = needed(p_positions(60, level), 0, 6, 60)
    assert all(moves == set(range(1, 7)) for moves in found.values())


@pytest.mark.parametrize("blocked", [1, 2])
def test_counting_finds_the_moves_that_recursion_finds(blocked: int) -> None:
    found = needed(p_positions(60, blocked=blocked), blocked, 6, 60)
    made = session(f"The game W^{blocked + 1}")
    for kind, moves in found.items():
        assert moves == set(made.relation(f"$needed_{kind}(i) & i<=6").values(10))


# -- what the printed formulas do not notice -----------------------------------------------------------------


@pytest.mark.long
def test_exactly_five_wrong_terminal_parts_of_k3_pass_the_printed_tests() -> None:
    made = fp.Session("msd_fib")
    made.load_words(PROOFS / "words.json")
    (chapter,) = [chapter for chapter in FOUND.chapters if chapter.title == "The game K^3"]
    for text in (step.text for step in chapter.declarations if isinstance(step, DeclaredScript)):
        made.run(text)
    made.define("rest", "En,x $phin(n+2,x) & a+1=x+K3[n+1] & b=x+n+3+K3[n+1]")
    tests = [theorem(f"K3.{name}.printed").formula for name in ("stable", "absorbing")]
    cells = [(x, y) for x in range(4) for y in range(x, 4 - x)]
    lacking = set()
    for chosen in product((False, True), repeat=len(cells)):
        kept = [cell for cell, here in zip(cells, chosen, strict=True) if here]
        terminal = " | ".join(f"(a={x} & b={y})" for x, y in kept) or "a<0"
        made.define("pposK3_asym", f"{terminal} | $rest(a,b)")
        made.define("pposK3", "$pposK3_asym(a,b) | $pposK3_asym(b,a)")
        if all(made.prove(text) for text in tests):
            lacking.add(frozenset(cells) - frozenset(kept))
    wrong = [{(0, 1)}, {(0, 1), (1, 1)}, {(1, 1)}, {(1, 1), (1, 2)}, {(1, 2)}]
    assert lacking == {frozenset(), *map(frozenset, wrong)}


def about_all(text: str, names: Iterable[str]) -> str:
    """The formula about the set of all positions in place of each of these."""
    for name in names:
        text = text.replace(f"${name}(", "$everything(")
    return text


@pytest.mark.parametrize(("title", "name"), [("W2.stable.printed", "pposW2"), ("W3.stable.printed", "pposW3")])
def test_the_printed_stability_of_w_holds_of_all_positions(title: str, name: str) -> None:
    made = fp.Session("msd_fib")
    made.define("everything", "a>=0 & b>=0")
    made.define("optW", "(c=a & d<b) | (c<a & d=b) | (a+d=c+b & c<a)")
    assert made.prove(about_all(theorem(title).formula, [name]))


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("name", ["matcha", "matchb"])
def test_the_printed_match_holds_for_the_other_letter(level: int, name: str) -> None:
    made = session(f"The word of K^{level}")
    printed, strong = theorem(f"K{level}.{name}.printed").formula, theorem(f"K{level}.{name}").formula
    right = "=1" if name == "matcha" else "=2"
    for wrong in ("=0", "=1", "=2"):
        assert made.prove(printed.replace("]" + right, "]" + wrong))
        assert bool(made.prove(strong.replace("]" + right, "]" + wrong))) is (wrong == right)


def test_the_printed_alinkb_holds_for_another_difference() -> None:
    made = session("The sequences of K^2")
    printed = theorem("K2.alinkb.printed").formula
    assert all(made.prove(printed.replace("x+n+3", f"x+n+{other}")) for other in (0, 2, 4))


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_the_printed_nr_1_and_nr_2_hold_of_sets_in_which_the_move_is_not_the_only_one(level: int) -> None:
    # The options in the row and column of (p,q) are never looked at: asked to be in P too, nothing changes.
    made = session(f"Redundant moves of K^{level}")
    for number in (1, 2):
        printed = theorem(f"K{level}.nr_{number}.printed").formula
        changed = printed.replace(f"~$pposK{level}(r,s)", "0=1")
        assert changed != printed
        assert bool(made.prove(changed)) == bool(made.prove(printed)) is True
