"""The predicates of words: their meaning on a prefix, both ways to them, their names, where they are kept."""

from __future__ import annotations

import os
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fibprover.automata.dfa import build
from fibprover.base.errors import BudgetSpent, FibproverError, NotSupported, UnknownName
from fibprover.base.limits import Limits
from fibprover.base.names import WORD_PREDICATES
from fibprover.learn import standard
from fibprover.learn.standard import RECURSIONS, WordPredicate, predicate_of
from fibprover.words.automatic import AutomaticWord, automatic_word
from fibprover.words.catalogue import ENTRIES
from fibprover.words.families import FAMILY_WORDS
from fibprover.words.letter_comparison import equal_letters
from fibprover.workspace.session import Session
from fibprover.workspace.walnut import Base, base_files, write_automaton
from tests.few import few

BOUND = 9


def library(name: str) -> AutomaticWord:
    return Session().namespace.library_words[name]


def by_definition(kind: str, letters: list[int | None], values: tuple[int, ...]) -> bool:
    """What the predicates mean, by comparing letters; a letter that does not exist is equal to none."""

    def equal(i: int, j: int, n: int) -> bool:
        return all(letters[i + k] is not None and letters[i + k] == letters[j + k] for k in range(n))

    match kind, values:
        case "feq", (i, j, n):
            return equal(i, j, n)
        case "rev", (i, j, n):
            return all(letters[i + k] is not None and letters[i + k] == letters[j + n - 1 - k] for k in range(n))
        case "pal", (i, n):
            part = letters[i : i + n]
            return None not in part and part == part[::-1]
        case "per", (i, n, p):
            return 1 <= p <= n and equal(i, i + p, n - p)
        case "border", (i, m, n):
            return 1 <= m < n and equal(i, i + n - m, m)
        case "first", (i, n):
            return not any(equal(i, j, n) for j in range(i))
    raise AssertionError(kind)


def check(made: WordPredicate, kind: str, letters: list[int | None]) -> None:
    count = len(WORD_PREDICATES[kind])
    assert made.relation.names == WORD_PREDICATES[kind]
    size = {2: 14, 3: BOUND}[count]
    tuples = [(i, j) for i in range(size) for j in range(size)]
    for values in tuples if count == 2 else [(*pair, n) for pair in tuples for n in range(size)]:
        assert (values in made) == by_definition(kind, letters, values), (made.name, values)


@pytest.mark.parametrize(
    "name", ["T", "FTM", "PR", "CA", "SB", *(pytest.param(each, marks=pytest.mark.long) for each in ("pell", "arshon"))]
)
def test_what_they_mean(name: str) -> None:
    word = library(name)
    letters: list[int | None] = [*word[:60]]
    methods = {
        "feq": word.factor_equality, "rev": word.reversals, "pal": word.palindromes, "per": word.periods,
        "border": word.borders, "first": word.first_occurrences,
    }
    for kind, method in methods.items():
        check(method(), kind, letters)


def test_letters_that_do_not_exist() -> None:
    """A word whose letters end at 6, both by the formula and by the recursion."""
    session = Session("msd_2")
    track = session.namespace.system("msd_2").track("n")
    rows: list[dict[int, int]] = [{0: 0, 1: 1}, {0: 2, 1: 3}, {0: 4, 1: 5}, {0: 6}, {}, {}, {}]
    word = automatic_word("X", build((track,), rows, [0, 1, 0, 0, 0, 1, 0]))
    letters = [word.value(number) for number in range(60)]
    assert letters[:8] == [0, 1, 0, 0, 0, 1, 0, None]
    for kind in WORD_PREDICATES:
        check(predicate_of(kind, equal_letters(word)), kind, letters)


@pytest.mark.parametrize("name", ["T", pytest.param("F", marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", few(reversed(list(RECURSIONS)), 2))
def test_both_ways_end_with_the_same(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    word = library(name)
    built = predicate_of(kind, equal_letters(word))
    monkeypatch.setattr(standard, "FIRST_SECONDS", 1e-6)
    monkeypatch.setattr(standard._PredicateBuilder, "built", standard._PredicateBuilder.learned)
    learned = predicate_of(kind, equal_letters(word))
    assert built.theorem is None and learned.theorem is not None
    assert learned.relation.automaton == built.relation.automaton
    assert all(f"${kind}_{name}" in each for each in learned.theorem.statements)
    session = Session()
    session.define(learned.name, learned.relation)
    assert pickle.loads(pickle.dumps(learned)) == learned


@pytest.mark.long
def test_the_second_way_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the formula costs too much, there is a guess; then the recursion is solved; then a limit is an error."""
    def spent(self: standard._PredicateBuilder, limits: Limits) -> WordPredicate:
        raise BudgetSpent("states", 5)

    monkeypatch.setattr(standard._PredicateBuilder, "built", spent)
    assert predicate_of("feq", equal_letters(library("F"))).theorem is not None
    monkeypatch.setattr(standard._PredicateBuilder, "guessed", spent)
    assert predicate_of("feq", equal_letters(library("F"))).theorem is not None
    with pytest.raises(BudgetSpent):
        predicate_of("feq", equal_letters(library("TR")), Limits(seconds=0.2))
    monkeypatch.setattr(standard._PredicateBuilder, "learned", spent)
    with pytest.raises(BudgetSpent):
        predicate_of("feq", equal_letters(library("F")))


def test_in_formulas() -> None:
    session = Session("msd_2")
    assert not session.prove("Ei,n n>0 & $feq_T(i,i+n,n+1)")
    assert session.prove("?msd_fib An Ei,m m>n & $pal_F(i,m)") and session.prove("?lsd_2 Ei $border_PR(i,2,5)")
    assert session.relation("$first_T(i,3)").values(6) == [0, 1, 2, 3, 4, 5]
    session.define("feq_T", "i=j & n=n")
    assert session.relation("$feq_T(i,j,0)").first(2) == [(0, 0), (1, 1)], "a definition hides it"


def test_words_that_are_defined_anew() -> None:
    session = Session("msd_2")
    session.define_morphic_word("X", [[0, 1], [1, 0]], [0, 1])
    assert not session.prove("Ei,n n>0 & $feq_X(i,i+n,2*n)")
    before = session.relation("$pal_X(i,n)")
    session.define_morphic_word("X", [[0, 1], [0, 0]], [0, 0])
    assert session.prove("Ei,n n>0 & $feq_X(i,i+n,2*n)")
    assert session.relation("$pal_X(i,n)") != before
    assert list(session.namespace.word_predicates) == ["feq_X", "pal_X"]
    copy = pickle.loads(pickle.dumps(session))
    assert copy.prove("Ai,j,n $feq_X(i,j,n)")
    verdict = pickle.loads(pickle.dumps(session.prove("Ai,j,n $per_X(i,j,n) => n<=j")))
    assert verdict and verdict.vacuity() is not None


def test_names_that_mean_nothing() -> None:
    session = Session("msd_2")
    session.define("feq_mine", "i<j")
    for formula, said in (
        ("$feq_XX(i,j,n)", "not defined"), ("$pal_SCA(i,n)", "has no such predicate"),
        ("$feq_mime(i,j)", "did you mean feq_mine?"), ("$feqq_T(i,j,n)", "did you mean feq_T?"),
    ):
        with pytest.raises(UnknownName) as problem:
            session.eval(formula)
        assert said in problem.value.hint and problem.value.start == 0, formula
    with pytest.raises(FibproverError, match="3 arguments"):
        session.eval("$feq_T(i,n)")
    for name in ("SCA", "PF"):
        with pytest.raises(NotSupported):
            library(name).palindromes()
    with pytest.raises(UnknownName):
        session.eval("$feq_(i,j,n)")


def test_all_words_with_one_index_have_them() -> None:
    names = Session().namespace.word_predicates.names()
    words = [*(name for name, entry in ENTRIES.items() if len(entry.indices) == 1), *FAMILY_WORDS]
    assert sorted(names) == sorted(f"{kind}_{word}" for kind in WORD_PREDICATES for word in words)


def test_a_word_that_failed() -> None:
    """What uses the predicate of such a word must not mean that of another word with its name."""
    from fibprover.language.commands import parse_script
    from fibprover.language.undefined import UndefinedNames

    script = "promote T nothing;"
    names = UndefinedNames()
    names.add(parse_script(script)[0], script)
    with pytest.raises(UnknownName) as problem:
        names.check_formula("Ei $feq_T(i,i,1)", {})
    assert problem.value.text[problem.value.start : problem.value.end] == "T"


def in_folder(folder: Path) -> Session:
    made = Session("msd_2")
    made.use_folders(folder)
    return made


def test_they_are_kept_in_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is proved again, and not made again; what has no recursion is made again."""
    first = in_folder(tmp_path)
    made = {kind: first.namespace.word_predicates.predicate(f"{kind}_T") for kind in WORD_PREDICATES}
    for way in ("built", "learned"):
        original = getattr(standard._PredicateBuilder, way)

        def other(builder: standard._PredicateBuilder, limits: Limits, original: Any = original) -> WordPredicate:
            assert builder.kind not in RECURSIONS, "made again"
            again: WordPredicate = original(builder, limits)
            return again

        monkeypatch.setattr(standard._PredicateBuilder, way, other)
    second = in_folder(tmp_path)
    for kind, predicate in made.items():
        again = second.namespace.word_predicates.predicate(predicate.name)
        assert again.relation == predicate.relation
        assert (again.theorem is not None) == (kind in RECURSIONS)
        assert "read from a file" in str(again) or kind not in RECURSIONS
    assert "feq_RS" not in second.namespace.definitions, "it would outlive its word"


def test_no_kept_predicate_vouches_for_itself(tmp_path: Path) -> None:
    """Another automaton in the file of a predicate makes no false statement TRUE."""
    right = in_folder(tmp_path).relation("$feq_T(i,j,n)")
    place = tmp_path / "Result" / "feq_T.txt"
    written = place.read_text()
    order = Session("msd_2").relation("?msd_2 i<=j & n=n").automaton
    write_automaton(order, place)
    assert not in_folder(tmp_path).prove("Ei,n n>0 & $feq_T(i,i+n,n+1)")
    assert place.read_text() == written, "the right one is written in its place"
    assert in_folder(tmp_path).relation("$feq_T(i,j,n)") == right


@pytest.mark.parametrize("kind", list(WORD_PREDICATES))
@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_what_is_no_file_in_the_place_of_a_predicate_is_left_alone(
    tmp_path: Path, kind: str, make: Callable[[Path], None]
) -> None:
    call = f"${kind}_T({','.join(WORD_PREDICATES[kind])})"
    right = Session().relation(call)
    place = tmp_path / "Result" / f"{kind}_T.txt"
    place.parent.mkdir()
    make(place)
    assert in_folder(tmp_path).relation(call) == right
    assert place.exists() and not place.is_file()


def drawn_files(right: str, count: int) -> Iterator[str]:
    """Yield files that are nearly right: a transition, an output, a line or the header is another one."""
    random = Random(1)
    lines = right.split("\n")
    for _ in range(count):
        changed = list(lines)
        place = random.randrange(len(changed))
        match random.randrange(5):
            case 0:
                del changed[place]
            case 1:
                changed[place] = changed[random.randrange(len(changed))]
            case 2:
                changed[place] = re.sub(r"[0-9]+$", lambda found: str(random.randrange(12)), changed[place])
            case 3:
                others = ["msd_2 msd_2", "msd_3 msd_2 msd_2", "{0,1} {0,1} {0,1}", "true", "lsd_2 lsd_2 lsd_2"]
                changed[0] = random.choice(others)
            case _:
                changed.insert(place, f"{random.randrange(99)} {random.randrange(3)}")
        yield "\n".join(changed)


@pytest.mark.parametrize("kind", list(RECURSIONS))
def test_files_that_are_nearly_right(tmp_path: Path, kind: str) -> None:
    parameters = ",".join(WORD_PREDICATES[kind])
    right = in_folder(tmp_path).relation(f"${kind}_T({parameters})")
    place = tmp_path / "Result" / f"{kind}_T.txt"
    for content in drawn_files(place.read_text(), 15):
        place.write_text(content)
        assert in_folder(tmp_path).relation(f"${kind}_T({parameters})") == right, content


def test_a_kept_predicate_in_another_writing(tmp_path: Path) -> None:
    """A file that is not minimal, or holds words that are no numbers, or only words without leading zeros, is right if
    its numbers are.
    """
    session = Session("msd_fib")
    session.use_folders(tmp_path)
    right = session.relation("$pal_F(i,n)")
    place = tmp_path / "Result" / "pal_F.txt"
    lines = place.read_text().rstrip().split("\n")
    states = sum(1 for line in lines if re.fullmatch(r"[0-9]+ [0-9]+", line))
    place.write_text("\n".join([*lines, f"{states} 0", "1 1 -> 0", f"{states + 1} 1"]) + "\n")
    again = Session("msd_fib")
    again.use_folders(tmp_path)
    assert again.relation("$pal_F(i,n)") == right
    assert "read from a file" in str(again.namespace.word_predicates.predicate("pal_F"))


def test_a_word_that_is_another_one_by_now(tmp_path: Path) -> None:
    in_folder(tmp_path).relation("$feq_T(i,j,n)")
    second = in_folder(tmp_path)
    second.define_morphic_word("T", [[0, 0]], [0])
    assert (0, 1, 5) in second.relation("$feq_T(i,j,n)")


def test_words_over_a_base_of_ones_own(tmp_path: Path) -> None:
    """Their predicates work as those of other words: of the file of a word, and of words that commands make."""
    for other in (tmp_path / "Custom Bases", tmp_path / "Word Automata Library", tmp_path / "Morphism Library"):
        other.mkdir()
    fib = Session("msd_fib").namespace.system("msd_fib")
    base = Base("msd_zz", fib.valid, fib.linear((1, 1, -1), "=", 0), None)
    for file, automaton in base_files(base):
        write_automaton(automaton, tmp_path / "Custom Bases" / f"{file}.txt")
    (tmp_path / "Word Automata Library" / "W.txt").write_text("msd_zz\n\n0 0\n0 -> 0\n1 -> 1\n\n1 1\n0 -> 0\n")
    for _ in range(2):
        session = in_folder(tmp_path)
        assert session.prove("?msd_zz Ex W[x]=1")
        assert session.prove("?msd_zz ~Ei,n n>0 & $feq_W(i,i+n,3*n)") and session.prove("?msd_zz Ai $pal_W(i,1)")
        session.run("word V[n]=?msd_zz W[n]; reg odd msd_zz \"(0|1)*1\"; combine U odd;")
        assert session.prove("?msd_zz Ai,j,n $feq_W(i,j,n) <=> $feq_V(i,j,n)")
        assert session.prove("?msd_zz Ai,n $per_U(i,n,1) => n<=2")
