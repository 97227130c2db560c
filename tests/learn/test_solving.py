"""Recursions are solved, and wrong ones end with what is known."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from fibprover.base.errors import FibproverError, NotSupported, TextError, TypeMismatch, Unsolved
from fibprover.base.limits import Limits, SharedLimits
from fibprover.infer.state_growth import GROWING
from fibprover.learn import solving
from fibprover.learn.theorem import Solution
from fibprover.workspace.session import Session
from tests.seeds import chosen_seed

#: A guard against a recursion that never ends.
LIMITS = Limits(seconds=60)


def solved(session: Session, name: str, formula: str, *more: str, by: str | None = None) -> Solution:
    """Solve a recursion, and prove its theorem once more."""
    solution: Solution = session.solve(name, formula, *more, by=by, limits=LIMITS)
    for statement in solution.theorem.statements:
        assert session.prove(statement)
    return solution


@pytest.mark.parametrize(
    ("word", "system", "states"),
    [("T", "msd_2", 14), ("F", "msd_fib", 11), pytest.param("TR", "msd_trib", 26, marks=pytest.mark.long),
     pytest.param("RS", "msd_2", 67, marks=pytest.mark.long),
     pytest.param("FTM", "msd_fib", 91, marks=pytest.mark.long)],
)
def test_equality_of_factors(word: str, system: str, states: int) -> None:
    session = Session(system)
    solution = solved(session, "fe", f"n=0 | Em n=m+1 & $fe(i,j,m) & {word}[i+m]={word}[j+m]", by="n")
    assert solution.theorem.states == {"fe": states}
    letters = session.namespace.library_words[word][:60]
    for i, j, n in [(0, 3, 5), (2, 9, 3), (1, 1, 40), (5, 18, 2), (0, 8, 4), (3, 11, 1), (7, 20, 6)]:
        assert ((i, j, n) in solution) == (letters[i : i + n] == letters[j : j + n])


def test_hofstadter() -> None:
    session = Session("msd_fib")
    g = solved(session, "G", "(n=0 & v=0) | Em,a,b n=m+1 & $G(m,a) & $G(a,b) & v+b=n")
    values = [0]
    for n in range(1, 60):
        values.append(n - values[values[n - 1]])
    assert sorted(g.relation.first(60)) == sorted(enumerate(values))
    both = solved(
        session, "M", "(n=0 & v=0) | Em,a,b n=m+1 & $M(m,a) & $Fe(a,b) & v+b=n",
        "Fe", "(n=0 & v=1) | Em,a,b n=m+1 & $Fe(m,a) & $M(a,b) & v+b=n",
    )
    male, female = [0], [1]
    for n in range(1, 60):
        male.append(n - female[male[n - 1]])
        female.append(n - male[female[n - 1]])
    assert all((n, v) in both.relations["M"] for n, v in enumerate(male))
    assert all((n, v) in both.relations["Fe"] for n, v in enumerate(female))
    assert session.prove("An,u,v $Fe(n,u) & $Fe(n,v) => u=v")
    with pytest.raises(FibproverError, match="M, Fe"):
        _ = both.relation


def test_hofstadter_h() -> None:
    h = solved(
        Session("msd_narayana"), "H",
        "(n=0 & v=0) | Em,a,b,c n=m+1 & $H(m,a) & $H(a,b) & $H(b,c) & v+c=n",
    )
    values = [0]
    for n in range(1, 80):
        values.append(n - values[values[values[n - 1]]])
    assert all((n, v) in h for n, v in enumerate(values))


WYTHOFF = "((r<p & s=q) | (r=p & s<q) | (Ek k>0 & p=r+k & q=s+k))"


def positions(below: int) -> set[tuple[int, int]]:
    """Return the P-positions of Wythoff's game."""
    found: set[tuple[int, int]] = set()
    for p in range(below):
        for q in range(below):
            options = [(r, q) for r in range(p)] + [(p, s) for s in range(q)]
            options += [(p - k, q - k) for k in range(1, min(p, q) + 1)]
            if found.isdisjoint(options):
                found.add((p, q))
    return found


def test_games() -> None:
    solution = solved(Session("msd_fib"), "P", f"~Er,s {WYTHOFF} & $P(r,s)")
    assert solution.theorem.measures == {"P": "p+q"}
    assert {(p, q) for p in range(30) for q in range(30) if (p, q) in solution} == positions(30)


def test_a_board_as_data() -> None:
    numpy = pytest.importorskip("numpy")
    board = numpy.zeros((89, 89), bool)
    for position in positions(89):
        board[position] = True
    session = Session("msd_fib")
    solution = session.solve("P", f"~Er,s {WYTHOFF} & $P(r,s)", by="p+q", data=board, limits=LIMITS)
    assert solution.theorem.states == {"P": 7}


@pytest.mark.parametrize("blocked", [1, 2])
def test_games_with_blocking(blocked: int) -> None:
    """One pile of which up to four are taken; the previous player may block some options."""
    solution = solved(Session("msd_2"), "P", f"~E>={blocked + 1} k k<n & k+4>=n & $P(k)")
    known: list[int] = []
    for n in range(300):
        if sum(k + 4 >= n for k in known) <= blocked:
            known.append(n)
    assert solution.relation.values(len(known)) == known


@pytest.mark.long
def test_no_option_counted() -> None:
    """`E=0` is `~E`; a bracket that was missing in a copy once made a set that does not satisfy the recursion."""
    session = Session("msd_2")
    recursion = "E=0 k k>=64 & k<n & $R(k)"
    assert solved(session, "R", recursion).relation.values(100) == list(range(65))
    assert session.prove(f"An $R(n) <=> ({recursion})")
    assert solved(Session("msd_2"), "R", "E=0 k k<n & $R(k)").relation.values(5) == [0]
    wythoff = f"E=0 r,s {WYTHOFF} & $P(r,s)"
    assert solved(Session("msd_fib"), "P", wythoff).states == 7
    with pytest.raises(Unsolved):
        Session("msd_fib").solve("P", wythoff, data=lambda p, q: True, limits=LIMITS)


@pytest.mark.long
def test_moves_that_are_defined_before() -> None:
    """The relation of moves lists the options."""
    session = Session("msd_fib")
    session.define("move", "(q=s & r<p & r+2>=p) | (p=r & s<q & s+2>=q)")
    solution = solved(session, "P", "~Er,s $move(p,q,r,s) & $P(r,s)")
    assert solution.theorem.measures == {"P": "p+q"}
    assert session.prove("Ap,q $P(p,q) <=> (Ek (p=q+3*k) | q=p+3*k)")


def test_exact_counts_are_rewritten() -> None:
    """Exactly one option in the set: `E=1` has positive and negative calls."""
    session = Session("msd_2")
    solved(session, "S", "n=0 | (E=1 k k<n & k+3>=n & $S(k))")
    known: set[int] = set()
    for n in range(200):
        if n == 0 or sum(k in known for k in range(max(0, n - 3), n)) == 1:
            known.add(n)
    assert set(session.relation("$S(n) & n<200").values()) == known


def test_data_are_used() -> None:
    session = Session("msd_2")
    asked: list[int] = []

    def data(n: int) -> bool | None:
        asked.append(n)
        return n % 3 == 0 if n < 1000 else None

    solution = session.solve("three", "n=0 | Em n=m+3 & $three(m)", data=data, limits=LIMITS)
    assert asked and solution.relation.values(4) == [0, 3, 6, 9]


def test_wrong_data_are_not_believed() -> None:
    session = Session("msd_2")
    with pytest.raises(Unsolved):
        session.solve("three", "n=0 | Em n=m+3 & $three(m)", data=lambda n: n % 2 == 0, limits=LIMITS)
    assert "three" not in session.namespace.definitions


@pytest.mark.long
def test_a_candidate_that_is_wrong_far_away() -> None:
    """All small data say that the set is empty; the prover knows better."""
    solution = solved(Session("msd_2"), "S", "n=1000003 | Em n=m+1 & $S(m) & n<1000000")
    assert solution.relation.values() == [1000003]
    assert solution.theorem.rounds > 1


def test_a_solution_is_a_value() -> None:
    solution = Session("msd_2").solve("even", "n=0 | Em n=m+1 & ~$even(m)", limits=LIMITS)
    again = pickle.loads(pickle.dumps(solution))
    assert again.relation.values(3) == [0, 2, 4] and again.theorem == solution.theorem
    assert "by induction on n" in str(solution) and repr(solution) == "Solution(even, 2 states)"


def test_each_calls_the_other() -> None:
    """One call each, at a constant distance, of the other relation."""
    both = solved(Session("msd_2"), "A", "n=0 | Em n=m+1 & $B(m)", "B", "Em n=m+1 & ~$A(m)")
    first, second = [True], [False]
    for n in range(1, 40):
        first.append(second[n - 1])
        second.append(not first[n - 1])
    for name, values in (("A", first), ("B", second)):
        assert [n in both.relations[name] for n in range(40)] == values


# -- wrong recursions ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "by", "said"),
    [
        ("~$R(x)", None, "contradictory: at x = 0, $R(0) would hold if and only if it does not"),
        ("$R(x)", None, "does not say whether $R(0) holds"),
        ("x>3 & $R(x) | x<2", None, "does not say whether $R(4) holds"),
        ("x>5 | $R(x+1)", None, "the call $R(1) at x = 0 does not go down: the measure x is 1 there, and 0 here"),
        ("x=0 | Ey x=y+1 & ~$R(x+1)", None, "does not go down"),
        ("~Er,s $R(r,s) & r+s<p+q", "p", "does not go down"),
        ("Ey $R(y) & x<y", None, "nothing bounds y"),
        ("Iy x<y & $R(x)", None, "infinitely many"),
    ],
)
def test_recursions_without_a_solution(formula: str, by: str | None, said: str) -> None:
    session = Session("msd_2")
    with pytest.raises(Unsolved) as problem:
        session.solve("R", formula, by=by, limits=LIMITS)
    assert said in str(problem.value)
    assert "R" not in session.namespace.definitions


def test_calls_that_do_not_matter_need_not_go_down() -> None:
    solution = solved(Session("msd_2"), "R", "x<4 | (x<2 & $R(x+7)) | (Ey x=y+8 & $R(y))")
    assert solution.relation.values(6) == [0, 1, 2, 3, 8, 9]


@pytest.mark.long
def test_limits_of_states() -> None:
    """They hold for each automaton of the proof; that letters and values are many does not matter."""
    recursion = "n=0 | Em n=m+1 & $fe(i,j,m) & T[i+m]=T[j+m]"
    assert Session("msd_2").solve("fe", recursion, limits=Limits(states=200)).states == 14
    with pytest.raises(Unsolved) as problem:
        Session("msd_2").solve("fe", recursion, limits=Limits(states=20))
    assert "the budget of 20 states is spent" in problem.value.message


def test_no_automaton() -> None:
    """The sums of the letters of a word that are not synchronized: states without end."""
    session = Session("msd_2")
    with pytest.raises(Unsolved) as problem:
        session.solve(
            "S", "(n=0 & v=0) | Em,u n=m+1 & $S(m,u) & ((PD[m]=@1 & v=u+1) | (PD[m]=@0 & v=u))",
            limits=Limits(seconds=1),
        )
    assert "no candidate for S was proved" in problem.value.message
    # The rest of the hint depends on what the search was doing when its second was over.
    assert re.search(r"S, .*below \d+", problem.value.hint), problem.value.hint


@pytest.mark.parametrize(
    ("formula", "kind", "marked"),
    [
        ("n=0 | $R(n,n)", TextError, "$R(n,n)"),
        ("n=0 | $Q(n)", TextError, "$Q"),
        ("1=1", NotSupported, "1=1"),
        ("n=0 | `$R(n)", NotSupported, "`$R(n)"),
        ("n=0 | $R(?msd_3 n)", NotSupported, "?msd_3 n"),
        ("n=0 | Em n=m+1 & $R(m) &", TextError, ""),
        ("?msd_neg_2 n=0 | $R(n-1)", TypeMismatch, "n"),
    ],
)
def test_malformed_recursions(formula: str, kind: type[TextError], marked: str) -> None:
    with pytest.raises(kind) as problem:
        Session("msd_2").solve("R", formula, limits=LIMITS)
    assert isinstance(problem.value, TextError)
    assert problem.value.text[problem.value.start : problem.value.end].strip() in (marked, marked.strip())


@pytest.mark.parametrize(("by", "marked"), [("p-q", "p-q"), ("x", "x"), ("", ""), ("p*q", "p*q"), ("p+", "")])
def test_malformed_measures(by: str, marked: str) -> None:
    with pytest.raises(TextError) as problem:
        Session("msd_2").solve("R", "p=0 | Er,s p=r+1 & q=s & $R(r,s)", by=by, limits=LIMITS)
    assert problem.value.text == by
    assert problem.value.text[problem.value.start : problem.value.end].strip() == marked


# -- in comparison with the direct construction ----------------------------------------------

SIDES = (
    "T[i+{k}]=T[{k}]", "T[i+{k}]!=RS[{k}]", "RS[2*{k}+i]=RS[i]", "T[{k}]=1", "{k}<=i", "i+{k}>4",
    "T[i+2*{k}]=T[i+{k}+1]",
    "(Ej j<3 & T[{k}+j]=T[i+j])", "i=2*{k}+1", "RS[{k}+1]=0",
)


@pytest.mark.random
def test_bounded_quantifiers() -> None:
    """A bounded quantifier satisfies a recursion, whose solution is the relation that is built directly."""
    random = Random(chosen_seed())
    for _ in range(4):
        first, second = random.sample(SIDES, 2)
        joined = f"({first} {random.choice(['&', '|', '=>', '<=>', '^'])} {second})"
        everywhere = random.random() < 0.5
        whole = f"Ak k<n => {joined}" if everywhere else f"Ek k<n & {joined}"
        step = f"n=0 | Em n=m+1 & $R(i,m) & {joined}" if everywhere else f"Em n=m+1 & ($R(i,m) | {joined})"
        session = Session("msd_2")
        direct = session.relation(f"({whole.format(k='k')}) & i=i", limits=LIMITS)
        solution = session.solve("R", step.format(k="m"), by="n", limits=LIMITS)
        assert solution.relation.automaton == direct.automaton, step


# -- samples ---------------------------------------------------------------------------------


class Below:
    """All members of a set below a bound, as the positions of a game are given."""

    def __init__(self, members: set[tuple[int, int]], bound: int) -> None:
        self.members = members
        self.bound = bound

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self.members)


def pairs(bound: int) -> set[tuple[int, int]]:
    """Return the P-positions of Wythoff's game below a bound by the mex rule."""
    found: set[tuple[int, int]] = set()
    taken: set[int] = set()
    for n in range(bound):
        a = next(x for x in range(n, 3 * bound) if x not in taken)
        taken |= {a, a + n}
        found |= {(a, a + n), (a + n, a)}
    return {position for position in found if max(position) < bound}


def test_sums_of_letters() -> None:
    """The values of a function are computed row by row, and an automaton is inferred from all of them."""
    session = Session("msd_trib")
    found = solved(session, "S", "(n=0 & s=0) | Em,r n=m+1 & $S(m,r) & ((TR[m]=@0 & s=r) | (TR[m]=@1 & s=r+1) | "
                   "(TR[m]=@2 & s=r+2))", by="n")
    word = "0"
    while len(word) < 300:
        word = "".join({"0": "01", "1": "02", "2": "0"}[letter] for letter in word)
    sums = [0]
    for letter in word[:300]:
        sums.append(sums[-1] + int(letter))
    assert found.relation.first(300) == [*enumerate(sums[:300])]


def test_members_as_data() -> None:
    pytest.importorskip("numpy")
    session = Session("msd_fib")
    formula = f"~Er,s {WYTHOFF} & $P(r,s)"
    solution = session.solve("P", formula, by="p+q", data=Below(pairs(2000), 2000), limits=LIMITS)
    assert solution.states == 7
    # Nothing was asked: the members suffice, and there is one of them at most in each row.
    assert solution.theorem.questions <= 2 * 2000


@pytest.mark.long
def test_wrong_members_are_not_believed() -> None:
    pytest.importorskip("numpy")
    wrong = {(p, q) for p, q in positions(144) if p not in (1, 2)}
    with pytest.raises(Unsolved):
        Session("msd_fib").solve(
            "P", f"~Er,s {WYTHOFF} & $P(r,s)", by="p+q", data=Below(wrong, 144), limits=Limits(seconds=1)
        )


@pytest.mark.long
def test_a_proof_has_an_allowance_under_a_deadline() -> None:
    """The proof of a wrong candidate of blocking games takes more than all the time that there is."""
    pytest.importorskip("numpy")
    limits = SharedLimits(seconds=60, deadline=monotonic() + 60)
    step = "(r<p & s=q) | (r=p & s<q) | (r<p & p+s=q+r)"
    solution = Session("msd_fib").solve("P", f"~E>=2 r,s ({step}) & $P(r,s)", by="p+q", limits=limits)
    assert solution.states == 73


def test_positions_of_value_1() -> None:
    """A recursion that calls a relation solved before; the board is computed from the recursion alone."""
    pytest.importorskip("numpy")
    session = Session("msd_2")
    moves = "((r<p & s=q & p<=r+3) | (r=p & s<q & q<=s+3))"
    solved(session, "P", f"~Er,s {moves} & $P(r,s)", by="p+q")
    one = solved(session, "one", f"~$P(p,q) & (Er,s {moves} & $P(r,s)) & ~(Er,s {moves} & $one(r,s))", by="p+q")
    # A pile of n has the value n mod 4, and a sum of piles the sum without carries.
    assert all(((p, q) in one) == ((p % 4) ^ (q % 4) == 1) for p in range(20) for q in range(20))


def test_giving_up_tells_states_and_bounds() -> None:
    """No automaton over binary numbers accepts the P-positions of Wythoff's game: its states grow with the bound."""
    pytest.importorskip("numpy")
    with pytest.raises(Unsolved) as problem:
        Session("msd_2").solve(
            "P", f"~Er,s {WYTHOFF} & $P(r,s)", by="p+q", data=Below(pairs(4096), 4096), limits=LIMITS
        )
    assert "grow like a power" in problem.value.message
    assert "below 2048" in problem.value.hint and GROWING in problem.value.hint


@pytest.mark.long
def test_giving_up_tells_the_next_sample() -> None:
    """The P-positions of Wythoff's game have no automaton over binary numbers; 2 s end before the largest board."""
    pytest.importorskip("numpy")
    with pytest.raises(Unsolved) as problem:
        Session("msd_2").solve("P", f"~Er,s {WYTHOFF} & $P(r,s)", by="p+q", limits=Limits(seconds=2))
    said = re.search(r"all members below (\d+) would be next, which.* take ([\d.]+) s", problem.value.hint)
    assert said is not None
    tried = [int(number) for number in re.findall(r"below (\d+)", problem.value.hint[:said.start()])]
    assert int(said[1]) == 2 * max(tried) and float(said[2]) > 0


#: Hofstadter's G, and male and female sequences.
AGAIN = [
    ("G", "(n=0 & v=0) | (n>0 & Ep,q $G(n-1,p) & $G(p,q) & v=n-q)"),
    ("M", "(n=0 & v=0) | (n>0 & Ep,q $M(n-1,p) & $Fe(p,q) & v+q=n)",
     "Fe", "(n=0 & v=1) | (n>0 & Ep,q $Fe(n-1,p) & $M(p,q) & v+q=n)"),
]


@pytest.mark.parametrize("parts", AGAIN)
def test_a_relation_that_is_solved_again_in_a_folder_is_proved_and_not_learned(
    parts: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    def session() -> Session:
        made = Session("msd_fib")
        made.use_folders(tmp_path)
        return made

    first = session().solve(*parts, by="n")
    sampled = solving._Solver._from_samples
    monkeypatch.setattr(solving._Solver, "_from_samples", lambda self: pytest.fail("it was learned"))
    again = session().solve(*parts, by="n")
    assert again.theorem.statements == first.theorem.statements
    assert {name: each.automaton for name, each in again.relations.items()} == {
        name: each.automaton for name, each in first.relations.items()
    }
    monkeypatch.setattr(solving._Solver, "_from_samples", sampled)
    # What the names mean is another relation that is equal at small numbers, has other tracks, or is malformed.
    library = tmp_path / "Automata Library" / f"{parts[0]}.txt"
    near = session()
    near.define("near", f"(${parts[0]}(n,v) & n<100000) | (n>=100000 & v=0)")
    forged = (tmp_path / "Automata Library" / "near.txt").read_text()
    near.define("near", "?msd_2 n=v")
    for text in (forged, (tmp_path / "Automata Library" / "near.txt").read_text(), "msd_fib\n0 1"):
        library.write_text(text)
        assert session().solve(*parts, by="n").relations[parts[0]].automaton == first.relations[parts[0]].automaton
        assert library.read_text() != text
