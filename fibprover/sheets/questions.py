"""The questions that are asked of every word with one index.

A formula mentions the word as X, its predicates as $feq_X and so on (`fibprover.learn.standard`), and is about numbers
of the system of its indices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from fibprover.sheets.abelian import abelian, prefix_sum
from fibprover.sheets.branching import branching
from fibprover.sheets.closed_form import CLOSED_FORM
from fibprover.sheets.derived import derived
from fibprover.sheets.question import SECTIONS, Question

#: No earlier position has the same factor of length n.
_FIRST = "Aj j<i => ~$feq_X(i,j,n)"

#: The word from an occurrence of the factor of length n at i to its next occurrence is at j for the first time.
_RETURN = (
    "Ed d>0 & $feq_X(i,j,n) & $feq_X(j,j+d,n) & (Am (m>0 & m<d) => ~$feq_X(j,j+m,n)) & (Al l<j => ~$feq_X(l,j,n+d))"
)

#: Parts of the recurrence function for the length n: some factor occurs a last time, the prefix of length m ends before
#: a first occurrence does, and a word of length m fits between two occurrences without one in between.
_LAST, _BEFORE_FIRST = "(Ei Aj j>i => ~$feq_X(i,j,n))", f"Ei m<i+n & ({_FIRST})"
_BETWEEN = "(Ei,j i<j & m+i+2<=j+n & $feq_X(i,j,n) & (Ak (k>i & k<j) => ~$feq_X(i,k,n)))"

#: Powers: a factor, or a prefix, of length n and period p.
_POWER, _PREFIX_POWER = "p>0 & (Ei $per_X(i,n,p))", "p>0 & $per_X(0,n,p)"


def _palindromes(count: int) -> str:
    """Return the formula that the prefix of length n is a product of so many palindromes, which may be empty."""
    formula, ends = "", [f"m{part}" for part in range(1, count)] + ["n"]
    for start, end in zip(["0", *ends], ends, strict=False):
        last = f"$pal_X({start},{end}-{start})" if formula else f"$pal_X(0,{end})"
        formula = f"(E{start} {start}<={end} & {formula} & {last})" if formula else last
    return formula.removeprefix("(").removesuffix(")") if count > 1 else formula


_QUESTIONS = (
    Question(
        "eventually-periodic", "recurrence", "claim", "X is eventually periodic.",
        "Ep,m p>0 & (Ai i>=m => X[i]=X[i+p])",
    ),
    Question(
        "recurrent", "recurrence", "claim", "X is recurrent: each factor occurs infinitely often.",
        "Ai,n Ej j>i & $feq_X(i,j,n)",
    ),
    Question(
        "uniformly-recurrent", "recurrence", "claim",
        "X is uniformly recurrent: for each factor, all factors of some length contain it. So its subshift is minimal.",
        "An Em Ai,k Ej j>=k & j<k+m & $feq_X(i,j,n)",
    ),
    Question(
        "gaps", "recurrence", "supremum",
        "The supremum of n/p over distances n between consecutive occurrences of a factor of length p.",
        "p>0 & (Ei,j j=i+n & n>0 & $feq_X(i,j,p) & (Ak (k>i & k<j) => ~$feq_X(i,k,p)))",
    ),
    Question(
        "appearance", "recurrence", "supremum",
        "The supremum of n/p over the ends n of first occurrences of factors of length p.",
        f"p>0 & (Ei n=i+p & ({_FIRST.replace('n)', 'p)')}))",
    ),
    Question(
        "appearance-function", "recurrence", "function",
        "The appearance function A(n): the length of the shortest prefix that has all factors of length n.",
        _BEFORE_FIRST,
    ),
    # Morse and Hedlund, "Symbolic dynamics" (1938), have R(n); Allouche and Shallit, Automatic Sequences (2003),
    # sections 10.9 and 10.10, both.
    Question(
        "recurrence-function", "recurrence", "function",
        "The recurrence function R(n): the least length such that each factor of this length has all factors of length"
        " n.",
        f"{_LAST} | ({_BEFORE_FIRST}) | {_BETWEEN}",
    ),
    Question(
        "recurrence-quotient", "recurrence", "supremum",
        "The supremum of R(n)/n for the recurrence function R.",
        f"p>0 & ({_LAST.replace('n)', 'p)')} | (Ei n=i+p & ({_FIRST.replace('n)', 'p)')}))"
        " | (Ei,j i<j & n+i+1=j+p & $feq_X(i,j,p) & (Ak (k>i & k<j) => ~$feq_X(i,k,p))))",
    ),
    Question(
        "return-words", "recurrence", "counts",
        "The numbers of return words of nonempty factors: of words from one occurrence to the next.",
        f"Ei,n n>0 & E# j ({_RETURN})",
    ),
    Question("complexity", "factors", "sequence", "The number of factors of length n.", _FIRST),
    CLOSED_FORM,
    Question(
        "returns", "recurrence", "sequence",
        "The number of return words of the prefix of length n.",
        "d>0 & $feq_X(0,j,n) & $feq_X(j,j+d,n) & (Am (m>0 & m<d) => ~$feq_X(j,j+m,n))"
        " & (Al l<j => ~$feq_X(l,j,n+d))",
    ),
    Question(
        "closed", "factors", "sequence",
        "The number of closed factors of length n: of at most one letter, or with a border that occurs nowhere else in"
        " the factor.",
        f"({_FIRST}) & (n<=1 | (Em m>0 & m<n & $feq_X(i,i+n-m,m) & (Aj (j>i & j+m<i+n) => ~$feq_X(i,j,m))))",
    ),
    Question(
        "privileged", "factors", "sequence",
        "The number of privileged factors of length n: of at most one letter, or with a privileged border that occurs"
        " nowhere else in the factor.",
        # Schaeffer and Shallit, "Closed, palindromic, rich, privileged, trapezoidal, and balanced words" (2016).
        f"({_FIRST}) & (n<=1 | (Am (m>=1 & m<=n) => (Ep p>=1 & p<=m & $feq_X(i,i+n-p,p)"
        " & (Aj (j>i & j+p<=i+m) => ~$feq_X(i,j,p)) & (Aj (j+m>=i+n & j+p<i+n) => ~$feq_X(i,j,p)))))",
    ),
    Question(
        "trapezoidal", "factors", "sequence",
        "The number of trapezoidal factors of length n: n = k+r for the least length k of a suffix that occurs once in"
        " the factor, and the least r such that it has no right special factor of length r.",
        f"({_FIRST}) & (Ek,r n=k+r & (Aj (j>=i & j<i+r) => ~$feq_X(j,i+r,k))"
        " & (k=0 | (Ej j>=i & j<i+r+1 & $feq_X(j,i+r+1,k-1)))"
        " & (Aj,l (j>=i & j<l & l+r<i+n & $feq_X(j,l,r)) => X[j+r]=X[l+r])"
        " & (r=0 | (Ej,l j>=i & j<l & l+r<i+n+1 & $feq_X(j,l,r-1) & X[j+r-1]!=X[l+r-1])))",
    ),
    Question(
        "unbordered-factors", "repetitions", "sequence", "The number of factors of length n > 0 without a border.",
        f"n>0 & ({_FIRST}) & (Am (m>0 & m<n) => ~$feq_X(i,i+n-m,m))",
    ),
    *(
        Question(
            f"{number}-palindromes", "palindromes", "set",
            f"The lengths of prefixes that are a product of {number} palindromes, some of them perhaps empty.",
            _palindromes(count),
        )
        for count, number in ((2, "two"), (3, "three"), (4, "four"))
    ),
    Question(
        "palindromic-length", "palindromes", "steps",
        "The least k, up to 6, such that each prefix is a product of k palindromes.",
        cases=tuple((count, _palindromes(count)) for count in range(1, 7)),
    ),
    Question(
        "lyndon-prefixes", "order", "set",
        "The lengths of prefixes that are Lyndon words: less than all their proper suffixes.",
        "n>0 & (Ai (i>0 & i<n) => (Em i+m<n & $feq_X(0,i,m) & X[m]<X[i+m]))",
    ),
    Question(
        "lyndon-factorization", "order", "set",
        "The positions where the words of the Lyndon factorization begin.",
        "Aj j<n => ((Am $feq_X(j,n,m)) | (Em $feq_X(j,n,m) & X[n+m]<X[j+m]))",
    ),
    Question(
        "least-word", "order", "word", "The least infinite word all of whose prefixes are factors of X.",
        "Ei X[i+n]=@L & (Aj $feq_X(i,j,n+1) | (Em m<=n & $feq_X(i,j,m) & X[i+m]<X[j+m]))",
    ),
    Question(
        "greatest-word", "order", "word", "The greatest infinite word all of whose prefixes are factors of X.",
        "Ei X[i+n]=@L & (Aj $feq_X(i,j,n+1) | (Em m<=n & $feq_X(i,j,m) & X[i+m]>X[j+m]))",
    ),
    Question(
        "reversal", "symmetry", "claim", "The reversal of each factor is a factor.",
        "An Ej Ak k<n => X[k]=X[(j+n)-(k+1)]",
    ),
    Question("palindrome-lengths", "palindromes", "set", "The lengths of palindromes.", "Ei $pal_X(i,n)"),
    Question(
        "palindromes", "palindromes", "sequence", "The number of palindromes of length n.", f"$pal_X(i,n) & ({_FIRST})",
    ),
    Question(
        "palindromic-prefixes", "palindromes", "set", "The lengths of prefixes that are palindromes.", "$pal_X(0,n)",
    ),
    Question(
        "rich", "palindromes", "claim",
        "X is rich: each nonempty prefix ends in a palindrome that occurs nowhere else in the prefix.",
        "An n>0 => Ei i<n & (Em m+i=n & $pal_X(i,m) & (Aj j<i => ~$feq_X(i,j,m)))",
    ),
    Question("squares", "repetitions", "claim", "X has a square.", "Ei,n n>0 & $feq_X(i,i+n,n)"),
    Question(
        "square-orders", "repetitions", "set", "The lengths n of the roots of squares xx.",
        "n>0 & (Ei $feq_X(i,i+n,n))",
    ),
    Question(
        "overlaps", "repetitions", "claim", "X has an overlap axaxa, with a letter a.", "Ei,n n>0 & $feq_X(i,i+n,n+1)",
    ),
    Question("cubes", "repetitions", "claim", "X has a cube.", "Ei,n n>0 & $feq_X(i,i+n,2*n)"),
    Question(
        "cube-orders", "repetitions", "set", "The lengths n of the roots of cubes xxx.",
        "n>0 & (Ei $feq_X(i,i+n,2*n))",
    ),
    Question("fourth-powers", "repetitions", "claim", "X has a fourth power.", "Ei,n n>0 & $feq_X(i,i+n,3*n)"),
    Question(
        "critical-exponent", "repetitions", "supremum",
        "The critical exponent, the supremum of n/p over factors of length n and period p.",
        _POWER,
    ),
    Question(
        "asymptotic-critical-exponent", "repetitions", "limit",
        "The asymptotic critical exponent, the limit superior of n/p over factors of length n and large period p.",
        _POWER,
    ),
    Question(
        "prefix-exponent", "repetitions", "supremum",
        "The supremum of n/p over prefixes of length n and period p.", _PREFIX_POWER,
    ),
    Question(
        "initial-critical-exponent", "repetitions", "limit",
        "The initial critical exponent, the limit superior of n/p over prefixes of length n and large period p.",
        _PREFIX_POWER,
    ),
    Question(
        "unbordered", "repetitions", "set", "The lengths of factors without a border.",
        "n>0 & (Ei Am (m>0 & m<n) => ~$border_X(i,m,n))",
    ),
)

#: Asked of words with two letters.  Each factor is a factor of a prefix, so that prefixes are enough; see "reversal".
_COMPLEMENT = Question(
    "complement", "symmetry", "claim", "The complement of each factor is a factor.", "An Ej Ak k<n => X[k]!=X[j+k]",
)


def _permuted(letters: Sequence[int]) -> Iterator[Question]:
    """Yield the questions about permutations of three letters."""
    for images in list(permutations(letters))[1:] if len(letters) == 3 else []:
        pairs = list(zip(letters, images, strict=True))
        same = " | ".join(f"(X[k]=@{a} & X[j+k]=@{b})" for a, b in pairs)
        yield Question(
            f"permutation-{('' if 0 <= min(images) <= max(images) < 10 else '_').join(map(str, images))}",
            "symmetry", "claim",
            f"The permutation {', '.join(f'{a} -> {b}' for a, b in pairs)} of the letters maps factors to factors.",
            f"An Ej Ak k<n => ({same})",
        )


def questions(letters: Sequence[int], prefix: Sequence[int] = ()) -> Iterator[Question]:
    """Yield the questions about a word with these letters, in the order of the sections.

    prefix: the first letters of the word; without them none is about derived words.
    """
    for letter in letters:
        yield Question(
            f"letter-{letter}", "letters", "claim", f"The letter {letter} occurs infinitely often.",
            f"Am Ei i>m & X[i]=@{letter}",
        )
        yield Question(
            f"letter-{letter}-frequency", "letters", "frequency", f"The frequency of the letter {letter}.",
            f"X[n]=@{letter}",
        )
        yield Question(
            f"letter-{letter}-gaps", "letters", "set",
            f"The distances between consecutive letters {letter}.",
            f"n>0 & (Ei X[i]=@{letter} & X[i+n]=@{letter} & (Aj (j>i & j<i+n) => X[j]!=@{letter}))",
        )
    for section in SECTIONS:
        yield from (each for each in _QUESTIONS if each.section == section)
        if section == _COMPLEMENT.section and len(letters) == 2:
            yield _COMPLEMENT
        if section == _COMPLEMENT.section:
            yield from _permuted(letters)
        if section == "recurrence" and prefix:
            yield from derived(prefix, prefix_sum(prefix[0]))
        if section == "special factors":
            yield from branching(letters)
        if section == "abelian":
            yield from abelian(letters)
