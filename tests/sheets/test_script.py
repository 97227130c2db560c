"""Sheets as scripts for Walnut, carried out by `fibprover run`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.base.values import replaced
from fibprover.language.commands import TextCommand
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.slopes import SlopeVerdict
from fibprover.prover.verdict.verdict import Verdict
from fibprover.sequences.series import Series
from fibprover.sheets.script import joined_script
from fibprover.sheets.word_commands import commands_of
from fibprover.words.automatic import AutomaticWord

IDS = ("squares", "overlaps", "palindrome-lengths", "complexity", "rich")


def made(commands: str, name: str) -> AutomaticWord:
    """Return the word that commands make."""
    session = fp.Session()
    session.run(commands)
    return session.namespace.words[name]


def compared(sheet: fp.Sheet) -> int:
    """Carry out the script of a sheet in a new session, compare it with the lines, and return how many were compared.
    """
    results = {getattr(command, "name", ""): result for command, result in fp.Session().run(sheet.to_script())}
    count = 0
    for line in sheet.lines:
        result = results.get(f"{sheet.name}_{line.id.replace('-', '_')}")
        if line.status == "open" or line.by or line.tree is None:
            assert result is None or line.section == "conjecture", line.id
            continue
        if isinstance(result, SlopeVerdict):
            assert result.slopes == line.slopes, line.id
        elif isinstance(result, Verdict):
            assert bool(result) == (line.status == "proved"), line.id
        elif isinstance(result, Relation):
            # The tracks of an automaton have the identity of its system: it is the same one.
            assert line.automaton is None or result.automaton == line.automaton, line.id
        else:
            assert isinstance(result, Series), line.id
            assert tuple(int(result[n]) for n in range(len(line.terms))) == line.terms, line.id
        count += 1
    return count


#: Words of every kind; the script has to make those that no session knows, and their systems.
WORDS: dict[str, Callable[[], str | AutomaticWord]] = {
    "of Walnut": lambda: "T",
    "of the library": lambda: "pell",
    "uniform": lambda: "0->012, 1->120, 2->201",
    "letters below 0": lambda: "[-1]->[-1]1, 1->1[-1]",
    "Dumont-Thomas": lambda: "0->01, 1->0",
    "over a base": lambda: "a->abc, b->ac, c->b",
    "its own name and system": lambda: made('dumont_thomas own "0->001, 1->0";', "Own"),
    "another word over its system": lambda: made('dumont_thomas own "0->001, 1->0"; word B[n] = Own[n+1];', "B"),
    "least significant digit first": lambda: made("reverse R T;", "R"),
    "lsd over an own system": lambda: made('dumont_thomas own "0->001, 1->0"; reverse L Own;', "L"),
    "term": lambda: made("word X[n] = T[n] if n<4 else 5;", "X"),
    "Ostrowski": lambda: made('ost root3 [0 1] [1 2]; def odd "?msd_root3 Ey n=2*y+1"; combine O odd;', "O"),
    "Ostrowski, lsd": lambda: made('ost g [0 2] [2]; def odd "?lsd_g Ey n=2*y+1"; combine O odd;', "O"),
    "table": lambda: made("word Z[i][j] = T[i+j];", "Z"),
    "table over another system": lambda: made("word Z[i][j] = F[i+j];", "Z"),
    "table with letters below 0": lambda: made("word Z[i][j] = T[i]-2*T[j];", "Z"),
    "table, lsd": lambda: made("word Z[i][j] = T[i+j]; reverse Y Z;", "Y"),
    "table over an own system": lambda: made(
        'dumont_thomas own "0->001, 1->0"; word Z[i][j] = Own[i] if i<j else Own[j];', "Z"
    ),
    "table of a long expression": lambda: made("word Z[i][j] = T[3*i+j];", "Z"),
    "family": lambda: "0->01,1->10 | 0->01,1->00",
    "slopes": lambda: "sturmian",
}


@pytest.mark.parametrize("kind", WORDS)
def test_a_script_has_the_same_verdicts(kind: str) -> None:
    """A script makes its word anew, and decides what the sheet decided."""
    word = WORDS[kind]()
    ids = [
        "letter-0", "letter-1", "squares", "square-orders", "complexity", "symmetric", "row-0", "new-rows",
    ]
    sheet = fp.study(word, only=ids, limits=fp.Limits(seconds=60))
    assert compared(sheet) >= 2


def test_a_table_of_one_letter() -> None:
    for letter, term in ((0, "T[i]*0"), (1, "T[i]*0+1"), (-1, "T[i]*0-1")):
        word = made(f"word Z[i][j] = {term};", "Z")
        sheet = fp.study(word, only=["letter-0", "letter-1"])
        assert compared(sheet) == len(sheet.lines)
        session = fp.Session()
        session.run(sheet.to_script())
        assert session.prove(f"Ai,j Z[i][j]=@{letter}")


@pytest.mark.parametrize("commands", [
    "word Z[i][j] = TR[i+j];", 'ost g [0 2] [2 1]; def third "?msd_g 3*x<=2*y"; combine Z third;',
])
def test_a_table_that_no_short_command_makes(commands: str) -> None:
    """The script runs and asks nothing: it makes the system, and has in comments what is asked about the word."""
    word = made(commands, "Z")
    for script in ((sheet := fp.study(word, only=["letter-0"])).to_script(), sheet.to_script("letter-0")):
        results = fp.Session().run(script)
        assert all(command.word == "ost" for command, _ in results)
        assert bool(results) == bool(word.systems)
        assert "# eval Z_letter_0" in script and "Walnut" not in script


def test_a_system_that_no_command_makes() -> None:
    """Its first terms are others than those of the greedy system of a continued fraction."""
    session = fp.Session()
    session.namespace.add_system(fp.recurrence_system("own", (1, 1, 1), (1, 2, 5)))
    session.run('def odd "?msd_own Ey n=2*y+1"; combine O odd;')
    script = fp.study(session.namespace.words["O"], only=["letter-0"]).to_script()
    assert fp.Session().run(script) == [] and "and msd_own" in script


#: A system that is no Ostrowski system, whose word has the name of a word of the library.
TAKES_T = 'dumont_thomas t "0->001, 1->00"; word B[n] = T[n+1];'


def test_a_word_of_the_library_comes_before_a_system_takes_its_name() -> None:
    sheets = [fp.study(word, only=["letter-0", "letter-1"]) for word in (made(TAKES_T, "B"), "T")]
    results = {command.name: result for command, result in fp.Session().run(joined_script(sheets))
               if isinstance(command, TextCommand)}
    for sheet in sheets:
        for line in sheet.lines:
            assert bool(results[f"{sheet.name}_{line.id.replace('-', '_')}"]) == (line.status == "proved")


def test_words_of_one_script_do_not_take_names_of_others() -> None:
    """Systems are made first, and then words whose names their words took: of the library, or of one's own."""
    session = fp.Session()
    session.run(TAKES_T)
    words = [session.namespace.words["B"], fp.Session().namespace.library_words["T"], session.namespace.words["T"]]
    for pair in (words[:2], words[1::-1], words[::2], words[::-2]):
        found = commands_of(pair, ["T"] if words[1] in pair else [])
        again = fp.Session()
        again.run("\n".join(found.commands))
        for word in pair:
            assert again.namespace.words[word.name].prefix(60) == word.prefix(60)
            assert again.namespace.words[word.name].tracks == word.tracks


def test_walnut_makes_ostrowski_systems() -> None:
    script = fp.study(WORDS["Ostrowski"](), only=["letter-0"]).to_script()
    assert script.startswith("ost ") and "custom base" not in script


@pytest.mark.very_long
@pytest.mark.parametrize("kind", WORDS)
def test_a_whole_sheet_is_a_script(kind: str) -> None:
    assert compared(fp.study(WORDS[kind](), limits=fp.Limits(seconds=2))) > 20


@pytest.mark.long
def test_a_word_with_another_name_of_its_system() -> None:
    word = made('dumont_thomas blop "a->aba, b->a";', "Blop")
    assert compared(fp.study(word, only=["squares", "square-orders"])) == 2


@pytest.mark.long
@pytest.mark.parametrize(("word", "coding"), [
    ("0->01, 1->20, 2->0", ""),
    pytest.param("a->ab, b->cb, c->a", "a->011, b->0, c->01", marks=pytest.mark.very_long),
])
def test_words_with_another_word_for_sums(word: str, coding: str) -> None:
    sheet = fp.study(word, coding=coding, only=["letter-0", "letter-1", "balance-0"], limits=fp.Limits(seconds=20))
    assert len(sheet.words) == 2 and compared(sheet) >= 2


def test_words_from_files_and_terms(tmp_path: Path) -> None:
    file = tmp_path / "word.json"
    file.write_text('{"V": {"morphism": [[0, 1], [0, 2], [0]], "coding": [0, 1, 1], "system": "msd_trib"}}')
    assert compared(fp.study(str(file), only=["letter-1"])) == 1
    terms = [(n % 7 + n.bit_count()) % 3 for n in range(3000)]
    assert compared(fp.study(terms=terms, only=["letter-0"])) == 1


@pytest.mark.parametrize("given", ["A000120", "a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1", "A000069"])
def test_the_script_of_a_sequence_makes_it(given: str) -> None:
    sheet = fp.study(given, only=["mean"])
    session = fp.Session()
    session.run(sheet.to_script())
    made = session.namespace.sequences["a"]
    assert [made[n] for n in range(200)] == [sheet.sequence[n] for n in range(200)]


def test_what_desubstitution_decides_is_left_out() -> None:
    """A script says how many lines have no formula for another reason than that they are open."""
    sheet = fp.study("T", only=["squares", "cubes", "overlaps"])
    others = [replace(line, tree=None, by="desubstitution") for line in sheet.lines[1:]]
    script = replaced(sheet, lines=(sheet.lines[0], *others)).to_script()
    assert "T_squares" in script and "T_cubes" not in script and "desubstitution" in script and "2 lines" in script


@pytest.mark.long
def test_lines_by_desubstitution_have_no_formula() -> None:
    """The formula of the question was not decided; that of `return-words` would not even be what is said."""
    sheet = fp.study("0->01, 1->20, 2->0", only=["squares", "return-words"], limits=fp.Limits(states=100))
    assert [(line.by, line.formula) for line in sheet.lines] == [("desubstitution", "")] * 2


def test_a_line_is_a_script_by_itself() -> None:
    sheet = fp.study("T", only=IDS)
    for line in sheet.lines:
        script = sheet.to_script(line.id)
        assert f'"{line.formula}":' in script
        assert len(fp.Session().run(script)) == script.count('":')


def test_factors_are_compared_with_prefixes() -> None:
    """The predicates of a script say by how much a factor exceeds the prefix of its length."""
    sheet = fp.study("0->012, 1->120, 2->201", only=["abelian-square-orders", "additive-cube-orders"])
    session = fp.Session()
    session.run(sheet.to_script())
    sums = list(itertools.accumulate(sheet.word.prefix(60), initial=0))
    ones = list(itertools.accumulate((each == 1 for each in sheet.word.prefix(60)), initial=0))
    for name, counts in (("excess_W", sums), ("excess1_W", ones)):
        pairs = session.relation(f"?{sheet.system} ${name}(j,n,u,v)")
        for j, n in itertools.product(range(25), repeat=2):
            more = counts[j + n] - counts[j] - counts[n]
            assert (j, n, max(-more, 0), max(more, 0)) in pairs
            assert (j, n, max(-more, 0) + 1, max(more, 0) + 1) not in pairs
        assert session.prove(f"?{sheet.system} Aj,n E=1 u,v ${name}(j,n,u,v)")


def test_what_walnut_does_not_have_is_defined_before_it_is_called() -> None:
    script = fp.study("0->01, 1->10, 2->22", only=["critical-exponent", "rich", "unbordered"]).to_script()
    known: set[str] = set()
    for name, formula in re.findall(r'^(?:def|eval) (\w+).*? "(.*)":$', script, re.MULTILINE):
        assert set(re.findall(r"\$(\w+)", formula)) <= known
        known.add(name)
    assert known >= {"feq_W", "per_W", "pal_W", "border_W"}
    assert script.startswith("morphism W_states_h")


def test_a_word_of_ones_own_is_not_that_of_walnuts_library() -> None:
    session = fp.Session()
    word = session.define_morphic_word("F", [[0, 1], [1, 1]], [0, 1])
    script = fp.study(word, only=["squares"]).to_script()
    assert 'morphism F_states_h "0->01 1->11";' in script


def test_a_system_that_walnut_does_not_have() -> None:
    script = fp.study("0->01, 1->0", only=["squares"]).to_script()
    assert script.startswith('dumont_thomas w "0->01 1->0";\n#') and "custom base" in script


def test_open_lines_are_left_out() -> None:
    """The numbers of letters in prefixes of PD have no automaton: no `solve` for one stands before the other lines."""
    sheet = fp.study("PD", only=["squares", "balance-0"], limits=fp.Limits(seconds=1))
    assert [line.status for line in sheet.lines] == ["proved", "open"]
    script = sheet.to_script()
    assert "solve" not in script
    assert "PD_balance_0" not in script
    verdict = fp.Session().run(script)[-1][1]
    assert isinstance(verdict, Verdict)
    assert verdict.truth
