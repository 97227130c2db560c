"""The library of words: every word against another construction, OEIS, and the peer's files if they are available."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from fibprover.automata import operations
from fibprover.automata.dfa import Track
from fibprover.automata.digit_order import to_reading_order
from fibprover.base.errors import LimitError, TextError, UnknownName
from fibprover.prover.verdict.verdict import Verdict
from fibprover.words.automatic import AutomaticWord, from_transition_function
from fibprover.words.catalogue import ENTRIES, entry_of, word_meant
from fibprover.words.families import FAMILY_WORDS
from fibprover.workspace.session import Session
from tests.words.constructions import ARRAYS, LETTERS, folding
from tests.words.oeis import ANTIDIAGONALS, SEQUENCES, TRIANGLE

PEER = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "library" / "Word Automata Library"

#: Walnut's file of this name holds another word in the corpus: what its own distribution calls ZP.
OTHERWISE = {"P"}


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


def letter(session: Session, word: AutomaticWord, *numbers: int) -> int | None:
    """Return the letter at numbers; the machine reads most significant digits first."""
    systems = (session.namespace.system(track.system.replace("lsd_", "msd_")) for track in word.tracks)
    return word.value(*(system.write(number) for system, number in zip(systems, numbers, strict=True)))


def prefix(session: Session, name: str, count: int) -> str:
    word = session.namespace.library_words[name]
    return "".join(str(letter(session, word, n)) for n in range(count))


def test_every_word_has_another_construction() -> None:
    assert {*LETTERS, *ARRAYS, "PF", "FOLD"} == set(ENTRIES)


@pytest.mark.parametrize("name", LETTERS)
def test_letters(session: Session, name: str) -> None:
    count = 1000
    assert prefix(session, name, count) == LETTERS[name](count)[:count]


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays(session: Session, name: str) -> None:
    word = session.namespace.library_words[name]
    for i, j in product(range(40), repeat=2):
        assert letter(session, word, i, j) == ARRAYS[name](i, j), (i, j)


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry.oeis in SEQUENCES])
def test_oeis(session: Session, name: str) -> None:
    known = SEQUENCES[entry_of(name).oeis]
    for n in range(known.begin, len(known.terms) + known.offset - known.shift):
        expected = known.letter(known.terms[n + known.shift - known.offset])
        assert letter(session, session.namespace.library_words[name], n) == expected, n


def test_oeis_numbers_are_all_checked() -> None:
    numbers = {entry.oeis for entry in ENTRIES.values() if entry.oeis}
    assert numbers == {*SEQUENCES, "A047999", "A153490"}


def test_oeis_arrays(session: Session) -> None:
    pascal, carpet = session.namespace.library_words["pascal"], session.namespace.library_words["SCA"]
    for n, row in enumerate(TRIANGLE):
        assert "".join(str(letter(session, pascal, n, k)) for k in range(n + 1)) == row
    for n, row in enumerate(ANTIDIAGONALS):
        assert "".join(str(letter(session, carpet, i, n - i)) for i in range(n + 1)) == row


@pytest.mark.parametrize("folds", [[1], [-1], [1, 1, 1], [1, -1, -1, 1], [-1, 1, -1, 1, 1]])
def test_folds(session: Session, folds: list[int]) -> None:
    """Both paperfolding words in the digit order of users: least significant digit first, the first fold first."""
    creases = [0, *folding(folds)]
    many, few = (to_reading_order(session.namespace.library_words[name].machine, word=True) for name in ("PF", "FOLD"))
    for n in range(2 ** (len(folds) + 2)):
        digits = [n >> place & 1 for place in range(len(folds) + 2)]
        inside = n < len(creases)
        read = list(zip([*folds, 0, 0], digits, strict=True))
        assert few.output(few.code(each) for each in read) == (creases[n] if inside else 0)
        if inside:
            assert many.output(many.code(each) for each in read[: len(folds)]) == creases[n]


# -- properties that the words are known for, by formulas ------------------------------------------------


@pytest.mark.parametrize(
    "formula",
    [
        "~Ei,n n>0 & At t<=n => T[i+t]=T[i+t+n]",
        "~Ei,n n>0 & At t<n => VTM[i+t]=VTM[i+t+n]",
        "~?msd_3 Ei,n n>0 & At t<n => arshon[i+t]=arshon[i+t+n]",
        "~?msd_fib Ei,n n>0 & At t<3*n => F[i+t]=F[i+t+n]",
        "?msd_fib Ei,n n>0 & At t<2*n => F[i+t]=F[i+t+n]",
        "?msd_fib An RF[n]!=RF[n+1] | RF[n+1]!=RF[n+2]",
        "?msd_3 An SC[3*n]=0 & SC[3*n+2]=1 & SC[3*n+1]=SC[n]",
        "?msd_3 An SCA[n][n]=CA[n]",
        "An ZP[n+1]=P[n]",
        "?lsd_2 An (PR[2*n+1]=PR[n]) & PR[4*n]=0 & PR[4*n+2]=1",
        "An (VTM[n]=2 <=> (T[n]=0 & T[n+1]=1)) & (VTM[n]=0 <=> (T[n]=1 & T[n+1]=0))",
        "An PD[n]=1 <=> T[n]!=T[n+1]",
        "An,k (n>0 & P2[n]=1 & k>0 & k<n) => pascal[n][k]=0",
        "?msd_4 An HC[16*n+15]=HC[n]",
    ],
)
def test_known_properties(formula: str) -> None:
    verdict = Session().eval(formula)
    assert isinstance(verdict, Verdict) and verdict


@pytest.mark.parametrize(("name", "power"), [("DEJ", Fraction(7, 4)), ("LE", Fraction(15, 8))])
def test_powers(session: Session, name: str, power: Fraction) -> None:
    """Return the highest power in a prefix: a factor of length l and period p has exponent l/p."""
    word = prefix(session, name, 600)
    highest = Fraction(0)
    for period in range(1, 200):
        same = 0
        for place in range(len(word) - period):
            same = same + 1 if word[place] == word[place + period] else 0
            highest = max(highest, Fraction(same + period, period))
    assert highest == power


# -- the peer's files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in ENTRIES if name not in OTHERWISE])
def test_against_the_peer(session: Session, name: str) -> None:
    """A word with the name of one of the peer's words is that word at all numbers."""
    file = PEER / f"{name}.txt"
    if not file.exists():
        pytest.skip("the peer's library is not here, or has no such word")
    theirs, ours = Session().namespace.load_word(file), session.namespace.library_words[name]
    assert [track.digits for track in theirs.tracks] == [track.digits for track in ours.tracks]
    theirs = theirs.renamed([track.name for track in ours.tracks])
    numbers = session.namespace.system(ours.tracks[-1].system).valid.renamed([ours.tracks[-1].name])
    for each in (*ours.outputs, *theirs.outputs):
        assert operations.conjunction(ours.where({each}), numbers) == operations.conjunction(
            theirs.where({each}), numbers
        )


# -- in a session ------------------------------------------------------------------------------------------


def test_own_words_hide_those_of_the_library() -> None:
    own = Session()
    assert own.eval("T[1]=1")
    own.define_morphic_word("T", [[0, 0]], [7])
    assert own.eval("An T[n]=7")
    assert not Session().eval("An T[n]=7")


def test_a_session_builds_words_at_first_use() -> None:
    own = Session()
    assert own.namespace.words == {}
    assert own.namespace.library_words["T"] is own.namespace.library_words["T"]
    assert "T" in own.namespace.library_words and "no" not in own.namespace.library_words
    names = list(own.namespace.library_words)
    assert len(own.namespace.library_words) == len(names) == len(ENTRIES) + len(FAMILY_WORDS)
    with pytest.raises(KeyError):
        own.namespace.library_words["no"]


def test_hints() -> None:
    own = Session()
    with pytest.raises(UnknownName) as caught:
        own.eval("TTTM[n]=1")
    assert caught.value.hint == "did you mean TTM, the twisted Thue-Morse word?"
    with pytest.raises(UnknownName) as caught:
        own.eval("Wxyz[n]=1")
    assert "fibprover words" in caught.value.hint
    own.define_morphic_word("Wxy", [[0, 0]], [7])
    with pytest.raises(UnknownName) as caught:
        own.eval("Wxyz[n]=1")
    assert caught.value.hint == "did you mean Wxy?"
    with pytest.raises(UnknownName, match="the library has no word Tt"):
        entry_of("Tt")
    with pytest.raises(TextError):
        own.eval("?msd_fib T[n]=1 & n=3")


def test_a_definition_with_infinitely_many_states_is_refused() -> None:
    with pytest.raises(LimitError, match="more than 10000 states"):
        from_transition_function("W", (Track("n", (0, 1), "msd_2"),), 0, lambda n, digit: 2 * n + digit + 1, int)


def test_words_are_known_by_their_titles_initials_and_numbers() -> None:
    for entry in ENTRIES.values():
        glued = entry.title.replace(" ", "_").replace("-", "")
        for title in () if "," in entry.title else (entry.title, entry.title.upper(), glued):
            found = word_meant(title)
            assert found is not None
            assert found.title.removeprefix("regular ") == entry.title.removeprefix("regular "), title
        if entry.oeis:
            found = word_meant(entry.oeis)
            assert found is not None and found.oeis == entry.oeis
        assert word_meant(entry.name.lower()) is not None
    meant = {name: word_meant(name) for name in ("TM", "Fib", "thue", "rudin_shapiro", "morse", "paperfolding", "Trib")}
    assert [each and each.name for each in meant.values()] == ["T", "F", "T", "RS", "T", "P", "TR"]
    assert [word_meant(name) for name in ("", "_", "x", "nothing", "Q7")] == [None] * 5


@pytest.mark.parametrize("formula", ["TM[n]=@1", "Ex Tm[x]=T[x]", "$feq_TM(i,j,n)", "$pal_thue(i,n)", ".TM[n]=@1"])
def test_errors_name_the_word_that_is_meant(formula: str) -> None:
    with pytest.raises(UnknownName) as caught:
        Session().eval(formula)
    assert re.search(r"did you mean (feq_|pal_)?T\b", caught.value.hint)


@pytest.mark.parametrize(("name", "word"), [
    ("fibonacci", "F"), ("thue_morse", "T"), ("Rudin-Shapiro", "RS"), ("A003849", "F"), ("T", "T"),
])
def test_a_word_has_other_names(name: str, word: str) -> None:
    assert entry_of(name).name == word
