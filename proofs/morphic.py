"""The morphic words that code the P-positions of K^1, K^2 and K^3 (Renard & Rigo, Propositions 22 to 24).

The words F1G1, F2G2, F3G3 over 1 and 2, read from index l+1 on: the letters 1 stand at the numbers
a_n and the letters 2 at the numbers b_n.

What the printed formulas leave open.  In `matcha` and `matchb` the quantifier "there is an x" reaches
over the implication, so that any x other than a_n makes it true, whatever the letters are.  The
strong forms are about all n >= 0 (the text says n >= 3) and all values x of a_n or b_n.  For K^3 the
paper prints neither formula; they are the ones of K^2 with the word of K^3 and its index shift 4.
"""

from _paper import PAPER, declare_game, declare_sequences, formula

import fibprover as fp

#: For each game the number of the printed command about it, and of its proposition.
PLACES = {1: (1, 22), 2: (2, 23), 3: (2, 24)}


def morphic(level: int) -> fp.Chapter:
    """A word and the sequences it codes, with controls."""
    number, proposition = PLACES[level]
    c = fp.Chapter(
        f"The word of K^{level}", source=f"{PAPER}, Proposition {proposition}", system="msd_fib"
    )
    declare_game(c, level)
    declare_sequences(c, level)
    word, first = f"F{level}G{level}", level + 1
    for name, letter in (("a", 1), ("b", 2)):
        printed = formula(f"match{name}", number)
        if level == 3:
            printed = printed.replace("$pposK2_an(", "$an(").replace("$pposK2_bn(", "$bn(")
            printed = printed.replace("F2G2[x-3]", "F3G3[x-4]")
        c.theorem(
            f"K{level}.match{name}.printed", printed, form="printed",
            statement=f"for every n there is an x such that, if {name}_n = x, the letter at x is {letter}",
        )
        strong = f"An,x ${name}n(x,n) => {word}[x-{{0}}]={letter}"
        c.theorem(
            f"K{level}.match{name}", strong.format(first),
            statement=f"the letter at {name}_n is {letter}, for all n >= 0",
        )
        fails = level if name == "a" else 0
        c.theorem(
            f"K{level}.match{name}.shifted", strong.format(first - 1), form="control",
            statement=f"the same if the letters are indexed from {first - 1} on (it fails at n = {fails})",
        )
    coded = (
        f"Am ({word}[m]=1 | {word}[m]=2) & ({word}[m]={{0}} <=> En $an(m+{first},n))"
        f" & ({word}[m]={{1}} <=> En $bn(m+{first},n))"
    )
    c.theorem(
        f"K{level}.coded", coded.format(1, 2),
        statement=(
            f"every letter is 1 or 2; at m it is 1 if and only if m+{first} is some a_n, "
            f"and 2 if and only if m+{first} is some b_n"
        ),
    )
    c.theorem(
        f"K{level}.coded.exchanged", coded.format(2, 1), form="control",
        statement="the same with the letters exchanged (it fails at m = 0)",
    )
    return c


k1, k2, k3 = morphic(1), morphic(2), morphic(3)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
