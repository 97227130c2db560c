"""Words that choices make, for all sequences of choices at once: paperfolding words, and a family of morphic words.

PAPER[n] is the letter of a paperfolding word at n, counted from 0, which has a fold 0 or 1 for each choice 1 or 2.  W
are the words s_1(s_2(s_3(... 0))), where s_i is the morphism 0 -> 01, 1 -> 10 for the choice 1, and 0 -> 01, 1 -> 00
for the choice 2: the Thue-Morse word, the period-doubling word, and all between them.

Where a theorem holds for some sequences only, an expression over choices says which ones, and the theorem is that they
are exactly these.  What has the source "found here" was not stated anywhere that we know of.
"""

import fibprover as fp

FOLDING = "J.-P. Allouche, M. Bousquet-Melou 1994; D. Goc, H. Mousavi, L. Schaeffer, J. Shallit 2015"
FOUND = "found here"

c = fp.Chapter("Words by choices", source="docs/families.md", system="msd_2_choices_2")

c.define("psquare", "n>0 & $feq_PAPER(i,i+n,n)", statement="a square of order n at i")
c.define("panti", "n>0 & Ak k<n => PAPER[i+k]!=PAPER[i+n+k]", statement="an antisquare of order n at i")
c.define("pantipal", "n>0 & Ak k<n => PAPER[i+k]!=PAPER[i+n-1-k]", statement="an antipalindrome of length n at i")

# -- paperfolding words ----------------------------------------------------------------------------

c.theorem(
    "paper.folding.even", "An PAPER[4*n+2]!=PAPER[4*n]",
    statement="the letters at even places are the first fold and its opposite in turn",
)
c.theorem(
    "paper.folding.even.equal", "An PAPER[4*n+2]=PAPER[4*n]", form="control", statement="they are all the first fold",
)
c.theorem(
    "paper.aperiodic", "~(Ei,p p>0 & Aj j>=i => PAPER[j]=PAPER[j+p])", source=FOLDING,
    statement="no paperfolding word is eventually periodic",
)
c.theorem(
    "paper.aperiodic.squares", "~(Ei,p p>0 & Aj (j>=i & j<i+p) => PAPER[j]=PAPER[j+p])", form="control",
    statement="there are no squares",
)
c.theorem(
    "paper.squares", "Ai,n $psquare(i,n) => (n=1 | n=3 | n=5)", source=FOLDING,
    statement="the order of a square is 1, 3 or 5",
)
c.theorem(
    "paper.squares.exist", "(Ei $psquare(i,1)) & (Ei $psquare(i,3)) & (Ei $psquare(i,5))", source=FOLDING,
    statement="there are squares of these orders",
)
c.theorem(
    "paper.squares.exist.seven", "(Ei $psquare(i,1)) & (Ei $psquare(i,7))", form="control",
    statement="there are squares of the orders 1 and 7",
)
c.theorem("paper.squares.1", "Ai,n $psquare(i,n) => n=1", form="control", statement="the order of a square is 1")
c.theorem(
    "paper.cubes", "Ai,n (n>0 & $feq_PAPER(i,i+n,2*n)) => n=1", source=FOLDING,
    statement="the only cubes are 000 and 111",
)
c.theorem(
    "paper.cubes.none", "~(Ei,n n>0 & $feq_PAPER(i,i+n,2*n))", form="control", statement="there are no cubes",
)
c.theorem(
    "paper.fourth", "~(Ei,n n>0 & $feq_PAPER(i,i+n,3*n))", source=FOLDING, statement="there are no fourth powers",
)
c.theorem(
    "paper.fourth.cubes", "~(Ei,n n>0 & $feq_PAPER(i,i+n,2*n))", form="control",
    statement="there are no cubes",
)
c.theorem(
    "paper.palindromes",
    "An n>0 => ((Ei $pal_PAPER(i,n)) <=> (n<=7 | n=9 | n=11 | n=13))", source=FOLDING,
    statement="there are palindromes of the lengths 1 to 7, 9, 11 and 13, and of no others",
)
c.theorem(
    "paper.palindromes.odd", "An n>0 => ((Ei $pal_PAPER(i,n)) <=> (n<=7 | n=9 | n=11))", form="control",
    statement="there is no palindrome of length 13",
)
c.theorem(
    "paper.special", "An n>=7 => E=4 i $first_PAPER(i,n) & Ej $feq_PAPER(i,j,n) & PAPER[i+n]!=PAPER[j+n]",
    source=FOLDING, statement="there are four right special factors of each length from 7 on",
)
c.theorem(
    "paper.special.6", "An n>=6 => E=4 i $first_PAPER(i,n) & Ej $feq_PAPER(i,j,n) & PAPER[i+n]!=PAPER[j+n]",
    form="control", statement="and of length 6",
)
c.theorem(
    "paper.complexity", "E=28 i $first_PAPER(i,7)", source=FOLDING,
    statement="there are 28 factors of length 7, so that there are 4n of each length n >= 7",
)
c.theorem(
    "paper.complexity.27", "E=27 i $first_PAPER(i,7)", form="control", statement="there are 27 factors of length 7",
)
c.theorem(
    "paper.recurrent", "Ai,n Ej j>i & $feq_PAPER(i,j,n)", source=FOLDING,
    statement="each factor occurs again and again",
)
c.theorem(
    "paper.recurrent.soon", "Ai,n Ej j>i & j<=i+n & $feq_PAPER(i,j,n)", form="control",
    statement="each factor occurs again at most its length later",
)
c.theorem(
    "paper.distance", "Ai,n,j ($feq_PAPER(i,j,n) & n>=7) => Ek i=8*k+j | j=8*k+i", source=FOUND,
    statement="the places of a factor of length 7 or more differ by a multiple of 8",
)
c.theorem(
    "paper.distance.6", "Ai,n,j ($feq_PAPER(i,j,n) & n>=6) => Ek i=8*k+j | j=8*k+i", form="control",
    statement="and those of a factor of length 6",
)
c.theorem(
    "paper.reversed", "Ai,n Ej Ak k<n => PAPER[i+k]!=PAPER[j+n-1-k]", source="M. Dekking, M. Mendes France, A. van der"
    " Poorten 1982", statement="the reversal of each factor, with 0 and 1 exchanged, is a factor",
)
c.theorem(
    "paper.reversed.itself", "Ai,n Ej Ak k<n => PAPER[i+k]=PAPER[j+n-1-k]", form="control",
    statement="the reversal of each factor is a factor",
)
c.theorem(
    "paper.found.again", "Ai,n n>0 => Ej j>i & j<=i+16*n & $feq_PAPER(i,j,n)", source=FOUND,
    statement="each factor of length n occurs again within 16n places",
)
c.theorem(
    "paper.found.again.15", "Ai,n n>0 => Ej j>i & j<=i+15*n & $feq_PAPER(i,j,n)", form="control",
    statement="within 15n places",
)
c.theorem(
    "paper.found.early", "Ai,n (n>0 & $first_PAPER(i,n)) => i<=12*n",
    source="R. Burns, The appearance function for paper-folding words (2022), whose function is exact",
    statement="each factor of length n begins within the first 12n + 1 places",
)
c.theorem(
    "paper.found.early.11", "Ai,n (n>0 & $first_PAPER(i,n)) => i<=11*n", form="control",
    statement="within the first 11n + 1 places (for some choices only)",
)
c.theorem(
    "paper.found.antisquares", "An (Ei $panti(i,n)) <=> (n=1 | n=2 | n=3 | n=5 | n=6 | n=10)", source=FOUND,
    statement="there are antisquares of the orders 1, 2, 3, 5, 6 and 10, and of no others",
)
c.theorem(
    "paper.found.antisquares.3", "Ai,n $panti(i,n) => n<=3", form="control", statement="their order is 3 at most",
)
c.script('slope equal_folds "?msd_2_choices_2 (1 1 | 2 2) .*";')
c.theorem(
    "paper.found.prefix", "$equal_folds() <=> En $psquare(0,n)", source=FOUND,
    statement="the word begins with a square for exactly the sequences whose first two choices are equal",
)
c.theorem(
    "paper.found.prefix.all", "En $psquare(0,n)", form="control", statement="each such word begins with a square",
)

# -- between Thue and Morse, and period doubling ----------------------------------------------------

c.script('family W "0->01,1->10 | 0->01,1->00";')
c.define("square", "n>0 & $feq_W(i,i+n,n)", statement="a square of order n in W at i")
c.script('slope thue "?msd_2_choices_2 1*";')
c.script('slope doubling "?msd_2_choices_2 2*";')
c.script('slope in_the_end "?msd_2_choices_2 1* 2*";')
c.script('slope even_thue "?msd_2_choices_2 (2 | 1 1)* 1?";')
c.script('slope odd_thue "?msd_2_choices_2 (1 2* 1)* 2 .*";')
c.theorem(
    "choices.recurrent", "Ai,n Ej j>i & $feq_W(i,j,n)", statement="each factor of W occurs again and again",
)
c.theorem(
    "choices.recurrent.soon", "Ai,n Ej j>i & j<=i+n & $feq_W(i,j,n)", form="control",
    statement="each factor occurs again at most its length later",
)
c.theorem(
    "choices.aperiodic", "~(Ei,p p>0 & Aj j>=i => W[j]=W[j+p])", statement="no such word is eventually periodic",
)
c.theorem(
    "choices.aperiodic.squares", "~(Ei,p p>0 & Aj (j>=i & j<i+p) => W[j]=W[j+p])", form="control",
    statement="there are no squares",
)
c.theorem(
    "choices.overlaps", "$thue() <=> ~(Ei,n n>0 & $feq_W(i,i+n,n+1))", source="A. Thue 1912 for 1*; found here",
    statement="W has no overlap if and only if it is the Thue-Morse word",
)
c.theorem(
    "choices.overlaps.none", "~(Ei,n n>0 & $feq_W(i,i+n,n+1))", form="control", statement="W has no overlap",
)
c.theorem(
    "choices.fourth", "$in_the_end() <=> ~(Ei,n n>0 & $feq_W(i,i+n,3*n))", source=FOUND,
    statement="W has no fourth power for exactly the sequences 1* 2*: once the choice is 2, it stays 2",
)
c.theorem(
    "choices.fourth.none", "~(Ei,n n>0 & $feq_W(i,i+n,3*n))", form="control", statement="W has no fourth power",
)
c.theorem(
    "choices.sixth", "~(Ei,n n>0 & $feq_W(i,i+n,5*n))", source=FOUND, statement="W has no sixth power",
)
c.theorem(
    "choices.sixth.fifth", "~(Ei,n n>0 & $feq_W(i,i+n,4*n))", form="control", statement="W has no fifth power",
)
c.theorem(
    "choices.rich", "$doubling() <=> An n>0 => Ei i<n & Em m+i=n & $pal_W(i,m) & $first_W(i,m)", source=FOUND,
    statement="W is rich if and only if it is the period-doubling word",
)
c.theorem(
    "choices.rich.all", "An n>0 => Ei i<n & Em m+i=n & $pal_W(i,m) & $first_W(i,m)", form="control",
    statement="W is rich",
)
c.theorem(
    "choices.palindromes", "$even_thue() <=> Am Ei,n n>m & $pal_W(i,n)", source=FOUND,
    statement="W has arbitrarily long palindromes for exactly the sequences (2 | 1 1)* 1?, in which the choices 1"
    " come in pairs, as far as others follow",
)
c.theorem(
    "choices.palindromes.all", "Am Ei,n n>m & $pal_W(i,n)", form="control", statement="each such word has them",
)
c.theorem(
    "choices.palindromes.mirror", "(Am Ei,n n>m & $pal_W(i,n)) <=> Ai,n Ej $rev_W(i,j,n)", source=FOUND,
    statement="these are the words that have the reversal of each factor",
)
c.theorem(
    "choices.palindromes.mirror.all", "Ai,n Ej $rev_W(i,j,n)", form="control",
    statement="each such word has the reversal of each factor",
)
c.theorem(
    "choices.antipalindromes", "$odd_thue() <=> Em Ai,n (Ak k<n => W[i+k]!=W[i+n-1-k]) => n<=m", source=FOUND,
    statement="W has finitely many antipalindromes for exactly the sequences (1 2* 1)* 2 .*: there is a choice 2 after"
    " an even number of choices 1",
)
c.theorem(
    "choices.antipalindromes.all", "Em Ai,n (Ak k<n => W[i+k]!=W[i+n-1-k]) => n<=m", form="control",
    statement="each such word has finitely many antipalindromes",
)
c.theorem(
    "choices.complement", "$thue() <=> Ai,n Ej Ak k<n => W[i+k]!=W[j+k]", source=FOUND,
    statement="W has the complement of each factor if and only if it is the Thue-Morse word",
)
c.theorem(
    "choices.complement.all", "Ai,n Ej Ak k<n => W[i+k]!=W[j+k]", form="control",
    statement="each W has the complement of each factor",
)
