"""The questions about numbers of letters in factors, which need those in prefixes as an automaton."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fibprover.sheets.question import Question

#: The block of length m at j has d letters of one kind, where the first n letters have $sum_X(n,s).
_BLOCK = "(E{e},{f} ${sum}_X({j},{e}) & ${sum}_X({j}+{m},{f}) & {e}+{d}={f})"

#: More letters would need too many variables.
_MOST_LETTERS = 3

#: Differences up to this one are tried one by one.
_MOST_DIFFERENCE = 8


def prefix_sum(letter: int) -> str:
    """Return the name, up to that of the word, of the predicate that s of the first n letters are this one."""
    return f"sum{letter}" if letter >= 0 else f"sumneg{-letter}"


def sum_recursion(letter: int) -> str:
    """Return the recursion of that predicate."""
    name = f"${prefix_sum(letter)}_X"
    return (
        f"(n=0 & s=0) | (Em n=m+1 & ((X[m]=@{letter} & (Et s=t+1 & {name}(m,t))) | (X[m]!=@{letter} & {name}(m,s))))"
    )


def abelian(letters: Sequence[int]) -> Iterator[Question]:
    """Yield the questions of the section, about a word with these letters, in rising order."""
    if len(letters) == 2:
        yield _balanced(letters)
    for letter in letters[: 1 if len(letters) == 2 else None]:
        first, second = _block(letter, "i", "m", "p"), _block(letter, "j", "m", "q")
        yield Question(
            f"balance-{letter}", "abelian", "balance",
            f"The differences between the numbers of letters {letter} in two factors of the same length.",
            f"Ei,j,m,p,q {first} & {second} & p+n=q",
            tuple((c, f"Em,p (Ei {first}) & (Ej,q q=p+{c} & {second})") for c in range(1, _MOST_DIFFERENCE + 1)),
        )
    if 2 <= len(letters) <= _MOST_LETTERS:
        yield from _anagrams(letters)
    if 3 <= len(letters) <= _MOST_LETTERS:
        yield from _sums_of_letters(letters)


def _balanced(letters: Sequence[int]) -> Question:
    """Return whether a word with two letters is balanced, after Coven and Hedlund (1973)."""
    a, b = letters
    return Question(
        "balanced", "abelian", "claim",
        "X is balanced: two factors of the same length contain each letter equally often, up to a difference of one.",
        f"~(Ei,j,n $pal_X(i+1,n) & $feq_X(i+1,j+1,n) & X[i]=@{a} & X[i+n+1]=@{a} & X[j]=@{b} & X[j+n+1]=@{b})",
    )


def _anagrams(letters: Sequence[int]) -> Iterator[Question]:
    """Yield the questions about factors up to the order of their letters."""
    counted = dict(zip(letters[:-1], "pq", strict=False))

    def blocks(*places: str) -> str:
        return " & ".join(_block(letter, place, "n", d) for letter, d in counted.items() for place in places)

    yield Question(
        "abelian-complexity", "abelian", "sequence",
        "The abelian complexity: the number of factors of length n up to the order of their letters.",
        f"Ej {blocks('j')}",
    )
    free = ",".join(counted.values())
    square, next_square = (f"(E{free} {blocks(*places)})" for places in (("j", "(j+n)"), ("(j+n)", "(j+2*n)")))
    yield Question(
        "abelian-square-orders", "abelian", "set",
        "The lengths n of x in abelian squares xy, where y has the letters of x in some order.",
        f"n>0 & (Ej {square})",
    )
    yield Question(
        "abelian-cube-orders", "abelian", "set",
        "The lengths n of x in abelian cubes xyz, where y and z have the letters of x in some order.",
        f"n>0 & (Ej {square} & {next_square})",
    )


def _sums_of_letters(letters: Sequence[int]) -> Iterator[Question]:
    """Yield the questions about the sums of the letters of factors; for two letters they are those about numbers."""
    # The least letter counts 0: a constant that is added to all letters changes no question.
    weights = dict(zip(letters[1:], "pq", strict=False))
    total = "+".join(f"{letter - letters[0]}*{d}" for letter, d in weights.items())
    free = ",".join(weights.values())

    def prefix(n: str, s: str) -> str:
        parts = " & ".join(f"${prefix_sum(letter)}_X({n},{d})" for letter, d in weights.items())
        return f"(E{free} {parts} & {s}={total})"

    def block(j: str, s: str) -> str:
        return f"(E{s}b,{s}e {prefix(j, f'{s}b')} & {prefix(f'{j}+n', f'{s}e')} & {s}b+{s}={s}e)"

    yield Question(
        "additive-complexity", "abelian", "sequence",
        "The number of different sums of the letters of factors of length n.", f"Ej {block('j', 's')}",
    )
    squares = [f"(Es {block(first, 's')} & {block(second, 's')})" for first, second in (
        ("j", "(j+n)"), ("(j+n)", "(j+2*n)"),
    )]
    yield Question(
        "additive-cube-orders", "abelian", "set",
        "The lengths n of x in additive cubes xyz, where x, y and z have the same length and sum of letters.",
        f"n>0 & (Ej {' & '.join(squares)})",
    )


def _block(letter: int, j: str, m: str, d: str) -> str:
    return _BLOCK.format(sum=prefix_sum(letter), j=j, m=m, d=d, e=f"{d}b", f=f"{d}e")
