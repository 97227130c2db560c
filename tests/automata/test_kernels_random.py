"""Random automata: compiled kernels against the reference implementation, and both against sets of words.

A case has three automata.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import ModuleType

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as hypothesis_seed

from fibprover.automata import kernel_calls as compiled
from fibprover.automata.dfa import Dfa, Track
from tests.oracle import kernels as reference
from tests.seeds import chosen_seed

from .strategies import cases

Letter = tuple[int, ...]
Word = tuple[Letter, ...]
Case = tuple[Dfa, Dfa, Dfa, tuple[str, ...]]


def run_cases(check: Callable[[Case], None], count: int) -> None:
    """Run a check on `count` drawn cases."""
    configured = settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    hypothesis_seed(chosen_seed())(configured(given(cases())(check)))()


def same(name: str, left: Dfa, right: Dfa) -> None:
    """Assert that both minimizers give the same canonical arrays for both results."""
    well_formed(left)
    forms = {
        "compiled of compiled": compiled.minimize(left),
        "compiled of reference": compiled.minimize(right),
        "reference of compiled": reference.minimize(left),
        "reference of reference": reference.minimize(right),
    }
    wanted = forms.pop("reference of reference")
    for form, found in forms.items():
        assert found == wanted, f"{name}: {form} differs"


def words_are_accepted(a: Dfa, b: Dfa, c: Dfa, quantified: Sequence[str], some: Sequence[str]) -> None:
    """Assert that the word by which a search shows that a result is not empty is a word of that result."""
    found = [(compiled.shortest_digits(one), one) for one in (a, b, c)]
    found += [(compiled.join_word(one, two), reference.join(one, two)) for one, two in ((a, b), (a, c), (c, a))]
    found += [(compiled.difference_word(one, two), reference.difference(one, two)) for one, two in ((a, c), (c, a))]
    for one, two, names in ((a, b, quantified), (a, c, some), (c, a, some), (a, a, some)):
        word = compiled.guarded_difference_word(one, two, names)
        found.append((word, reference.guarded_difference(one, two, names)))
    for word, whole in found:
        if word is None:
            assert reference.is_empty(whole)
        elif whole.tracks:
            letters = zip(*(word[name] for name in whole.names), strict=True)
            assert whole.output([whole.code(letter) for letter in letters])


def well_formed(a: Dfa) -> None:
    """Assert the invariants of a Dfa: CSR arrays in order and in range, rows strictly sorted, read-only."""
    assert [view.format for view in (a.offsets, a.codes, a.targets, a.outputs)] == ["q", "q", "i", "i"]
    assert all(view.readonly for view in (a.offsets, a.codes, a.targets, a.outputs))
    assert len(a.offsets) == a.states + 1 and a.offsets[0] == 0 and a.offsets[a.states] == len(a.codes)
    assert len(a.codes) == len(a.targets)
    assert all(0 <= code < a.letters for code in a.codes) and all(0 <= target < a.states for target in a.targets)
    for state in range(a.states):
        codes = [code for code, _ in a.row(state)]
        assert codes == sorted(set(codes))


def compare(case: Case) -> None:
    """Compare every compiled operation with the reference implementation on one case."""
    a, b, c, quantified = case
    same("join", compiled.join(a, b), reference.join(a, b))
    same("join of reordered", compiled.join(a, c), reference.join(a, c))
    same("union", compiled.union(a, c), reference.union(a, c))
    same("difference", compiled.difference(a, c), reference.difference(a, c))
    same(
        "guarded difference",
        compiled.guarded_difference(a, b, quantified),
        reference.guarded_difference(a, b, quantified),
    )
    some = c.names[: len(c.names) // 2 + 1]
    same(
        "guarded difference of itself",
        compiled.guarded_difference(a, c, some),
        reference.guarded_difference(a, c, some),
    )
    if quantified:
        same(
            "difference of a projection",
            compiled.difference(a, compiled.project(b, quantified)),
            reference.guarded_difference(a, b, quantified),
        )
    for left, right in ((a, b), (a, c), (c, a)):
        assert compiled.join_is_empty(left, right) == reference.join_is_empty(left, right)
    for left, right in ((a, c), (c, a), (compiled.join(a, c), a), (a, a)):
        assert compiled.difference_is_empty(left, right) == reference.difference_is_empty(left, right)
    for left, right, names in ((a, b, quantified), (a, c, some), (a, a, some), (c, compiled.trim(a), ())):
        found = compiled.guarded_difference_word(left, right, names)
        assert (found is None) == (reference.guarded_difference_word(left, right, names) is None)
    words_are_accepted(a, b, c, quantified, some)
    same("projection", compiled.project(b, quantified), reference.project(b, quantified))
    same("projection of one", compiled.project(a, a.names[:1]), reference.project(a, a.names[:1]))
    # The third part lacks the first quantified track.
    for parts, names in (((a,), ()), ((a, c), ()), ((a, c), some), ((c, reference.project(a, c.names[:1]), a), some)):
        same("union of projections", compiled.project_union(parts, names), reference.project_union(parts, names))
    same("reversal", compiled.reverse(a), reference.reverse(a))
    names = tuple(reversed(b.names))
    assert compiled.reorder(b, names) == reference.reorder(b, names)
    if a.zero_code is not None:
        same("zero closure", compiled.close_zeros(a), reference.close_zeros(a))
    assert compiled.trim(a) == reference.trim(a)
    assert compiled.minimize_outputs(a) == reference.minimize_outputs(a)
    assert [compiled.collisions(a, name) for name in a.names] == [reference.collisions(a, name) for name in a.names]
    for d in (a, b):
        assert compiled.is_empty(d) == reference.is_empty(d)
        assert compiled.shortest(d) == reference.shortest(d)
        assert compiled.is_finite(d) == reference.is_finite(d)
        assert compiled.words(d, 7) == reference.words(d, 7)
        assert compiled.count_words(d, 5) == reference.count_words(d, 5)


def language(a: Dfa, length: int) -> set[Word]:
    """All accepted words of up to `length` letters, found by following every path."""
    found: set[Word] = set()
    paths: list[tuple[Word, int]] = [((), 0)]
    while paths:
        word, state = paths.pop()
        if a.outputs[state]:
            found.add(word)
        if len(word) < length:
            paths += [((*word, a.letter(code)), target) for code, target in a.row(state)]
    return found


def part(word: Word, tracks: Sequence[Track], wanted: Sequence[Track]) -> Word:
    """The part of a word on the wanted tracks, in their order."""
    places = [list(tracks).index(track) for track in wanted]
    return tuple(tuple(letter[place] for place in places) for letter in word)


def all_words(tracks: Sequence[Track], length: int) -> Iterable[Word]:
    """Every word of up to `length` letters."""
    letters: list[Letter] = [()]
    for track in tracks:
        letters = [(*letter, digit) for letter in letters for digit in track.digits]
    layer: list[Word] = [()]
    for _ in range(length + 1):
        yield from layer
        layer = [(*word, letter) for word in layer for letter in letters]


def feasible(tracks: Sequence[Track], most: int = 1500) -> int:
    """A length of up to 4 for which there are not too many words."""
    letters = 1
    for track in tracks:
        letters *= len(track.digits)
    return max(length for length in range(5) if letters**length <= most)


def some_run(a: Dfa, kept: Sequence[Track], word: Word, zeros: int) -> bool:
    """Return whether digits for the other tracks, and up to `zeros` kept zeros in front, make `word` one of a's."""
    place = [a.tracks.index(track) for track in kept]

    def after(sources: set[int], wanted: Letter) -> set[int]:
        return {
            q
            for p in sources
            for code, q in a.row(p)
            if tuple(a.letter(code)[i] for i in place) == wanted
        }

    starts = [{0}]
    for _ in range(zeros):
        starts.append(after(starts[-1], (0,) * len(kept)))
    for start in starts:
        here = start
        for letter in word:
            here = after(here, letter)
        if any(a.outputs[p] for p in here):
            return True
    return False


def projected(a: Dfa, kept: Sequence[Track], length: int) -> set[Word]:
    """The words of the projection, by trying all words; remaining numbers may be padded for longer witnesses."""
    if any(not track.system for track in kept):
        return {word for word in all_words(kept, length) if some_run(a, kept, word, 0)}
    found = set()
    zero = (0,) * len(kept)
    for word in all_words(kept, length):
        bare = word
        while bare and bare[0] == zero:
            bare = bare[1:]
        if some_run(a, kept, bare, a.states):
            found.add(word)
    return found


def check_words(module: ModuleType, case: Case) -> None:
    """Compare every operation with its definition on sets of words, on one case."""
    a, b, c, quantified = case
    joined = tuple(sorted({*a.tracks, *b.tracks}))
    length = feasible(joined)
    in_a, in_b, in_c = (language(d, length) for d in (a, b, c))
    assert language(module.join(a, b), length) == {
        word
        for word in all_words(joined, length)
        if part(word, joined, a.tracks) in in_a and part(word, joined, b.tracks) in in_b
    }
    tracks = tuple(sorted(a.tracks))
    mine = {part(word, a.tracks, tracks) for word in in_a}
    other = {part(word, c.tracks, tracks) for word in in_c}
    assert language(module.union(a, c), length) == mine | other
    assert language(module.difference(a, c), length) == mine - other
    kept = tuple(track for track in b.tracks if track.name not in quantified)
    if kept:
        those = projected(b, kept, length)
        assert language(module.project(b, quantified), length) == those
        assert language(module.guarded_difference(a, b, quantified), length) == {
            word for word in mine if part(word, tracks, kept) not in those
        }
    kept = tuple(track for track in tracks if track.name not in a.names[:1])
    if kept:
        wanted = projected(a, kept, length) | projected(c, kept, length)
        assert language(module.project_union((c, a), a.names[:1]), length) == wanted
    assert language(module.reverse(a), length) == {word[::-1] for word in in_a}
    # Words of bounded length can refute emptiness; `compare` checks that empty products are recognized.
    if language(module.join(a, b), length):
        assert not module.join_is_empty(a, b)
    if mine - other:
        assert not module.difference_is_empty(a, c)
    assert module.difference_is_empty(a, module.union(c, a))
    assert language(module.minimize(a), length) == in_a == language(module.trim(a), length)
    if module is compiled:
        turned = compiled.reorder(compiled.minimize(b), b.names[::-1])
        assert compiled.renumber(turned) == compiled.minimize(turned)
    if a.zero_code is not None:
        assert language(module.close_zeros(a), length) == projected(a, a.tracks, length)
    exact = language(b, feasible(b.tracks))
    lengths = range(feasible(b.tracks) + 1)
    assert [module.count_words(b, n) for n in lengths] == [sum(len(w) == n for w in exact) for n in lengths]
    coded = sorted((len(w), tuple(map(b.code, w))) for w in exact)
    inner = [codes for _, codes in coded if not codes or codes[0] != b.zero_code]
    listed = module.words(b, 10)
    assert listed[: len(inner)] == inner[:10]
    assert all(len(codes) > lengths[-1] for codes in listed[len(inner) :])
    if coded:
        assert module.shortest(b) == coded[0][1]


CASES = [80, pytest.param(600, marks=pytest.mark.long), pytest.param(1667, marks=pytest.mark.very_long)]


@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize("count", CASES)
def test_compiled_and_reference_agree(count: int) -> None:
    run_cases(compare, count)


@pytest.mark.random
@pytest.mark.parametrize("count", [
    50, pytest.param(250, marks=pytest.mark.long), pytest.param(600, marks=pytest.mark.very_long),
])
def test_operations_agree_with_their_definitions_on_words(kernels: ModuleType, count: int) -> None:
    run_cases(lambda case: check_words(kernels, case), count)
