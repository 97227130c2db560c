"""What `help` can say: the groups of commands, topics, and examples, which are run when they are displayed.

An example is a text of entries, one on each line.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: Commands by purpose.
GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "formulas": ("eval", "def", "solve", "macro", "reg"),
    "questions": ("inf", "test", "first", "first_rej", "count", "regex", "describe"),
    "languages": (
        "union", "intersect", "concat", "star", "leftquo", "rightquo", "fixleadzero", "fixtrailzero", "alphabet",
        "reverse", "minimize", "convert",
    ),
    "words": ("word", "morphism", "promote", "image", "transduce", "combine", "join", "split", "rsplit"),
    "systems": ("ost", "dumont_thomas", "slope", "family"),
    "files": ("load", "export", "[export]"),
    "the rest": ("[strategy]", "help", "cls", "clear", "quit", "exit"),
})

#: The topics besides commands.
TOPICS: Mapping[str, str] = MappingProxyType({
    "formulas": """\
quantifiers   Ex Ax Ix (infinitely many), Ax,y, E>=2 x (at least two), E<=2 x, E=2 x
connectives   ~ (not), & (and), | (or), ^ (either, or), => (implies), <=> (if and only if)
comparisons   = != < <= > >=
terms         numbers, variables, x+y, x-y, 3*x, x/2 (the floor), T[n] (a letter of a word)
calls         $even(n) of what def names, #name(a,b) of a macro
systems       ?msd_fib in front of a formula or of a part in brackets

A quantifier reaches to the end, or to the closing bracket. If x-y would be negative, its comparison is false.""",
    "systems": """\
msd_2, msd_10, ...                 base k
msd_fib, msd_lucas, msd_pell       Zeckendorf's system and its relatives; msd_trib, msd_narayana, msd_4bonacci
msd_rec_2_1                        the recurrence U[t] = 2 U[t-1] + U[t-2]
msd_wythoff_3, msd_fraenkel_2_1    the systems of m-Wythoff and of (s,m)-games
msd_ost_0_3_per_1_2                the Ostrowski system of [0; 3, 1, 2, 1, 2, ...]; ost names one
msd_neg_2, msd_neg_fib             negative bases: all integers
msd_sturmian                       the Ostrowski systems of all slopes: C[n] is the characteristic word of each
msd_2_choices_3                    base 2 with a choice at each position, of words that `family` makes
lsd_fib, ...                       each also with the least significant digit first""",
    "words": """\
T[n] is the letter of the word T at n. Built-in words:
T RS P PD VTM MW BS CA F TR RF FTM SC LE DEJ TH HC ...  (`fibprover words` lists and describes them)
word, morphism with promote, combine and others make new ones. Each word with one index has predicates:
$feq_T(i,j,n)      the factors of length n at i and at j are equal
$rev_T(i,j,n)      the factor of length n at i is the reversal of that at j
$pal_T(i,n)        the factor of length n at i is a palindrome
$per_T(i,n,p)      it has the period p, 1<=p<=n
$border_T(i,m,n)   it has a border of length m, 1<=m<n
$first_T(i,n)      it does not occur before i""",
    "prompt": """\
;  :  ::            after a command (or a formula): the answer; with the effort; with all steps
Enter               goes on to the next line until the entry is complete: a command ends in ; : or ::, a formula with
                    its line unless a bracket or an operator is open; "> ;> )> show what is missing
Tab                 completes commands, predicates, words, systems and files
Up, Down, Ctrl-R    what was typed before, also last time
Ctrl-C              abandons the line or the computation; definitions stay
# or //             a comment""",
})

_TWO = 'def a "n<4";\ndef b "n>2 & n<6";\n'
_PAIR = 'reg a {0,1} "01";\n'

#: The entries of an example, by command or topic.
EXAMPLES: Mapping[str, str] = MappingProxyType({
    "formulas": "Ax,y x+y=y+x\nEx x=2*y+1\n?msd_fib Ex,y x<y & x+y=8\nE=2 x (x*2<n)",
    "systems": "?msd_fib x+y=4 & x<y\n?msd_neg_2 x+3=0",
    "words": "T[n]=1 & n<8\n?msd_fib F[n]=F[n+1]\nEi,n n>0 & At t<n => T[i+t]=T[i+t+n]\nEi,n n>3 & $pal_T(i,n)",
    "prompt": "x<3\nx<3:",
    "eval": 'eval "Ax Ey x=2*y | x=2*y+1";\neval small "?msd_fib x+y<3";\neval pairs n "i<j & j<n";',
    "def": 'def even "Ey n=2*y";\ndef next "$even(n) & m=n+1";\nEn $next(m,n)',
    "solve": 'solve g "?msd_fib (n=0 & v=0) | Em,a,b n=m+1 & $g(m,a) & $g(a,b) & v+b=n" by n;\n'
    "?msd_fib $g(n,v) & n>4 & n<8",
    "reg": 'reg power2 msd_2 "0*10*";\n$power2(n) & n<20',
    "macro": 'macro between "%0<%1 & %1<%2";\nEn #between(2,n,4)',
    "inf": 'reg a msd_2 "(10)*1";\ninf a;\ndef b "n<3";\ninf b;',
    "test": 'def even "Ey n=2*y";\ntest even 4;',
    "first": 'def big "Ey n=7*y & n>1000";\nfirst big;',
    "first_rej": 'def most "n!=1000";\nfirst_rej most;',
    "count": 'def odious "T[n]=@1";\ncount odious 1000000;',
    "regex": 'def even "Ey n=2*y";\nregex even;',
    "describe": 'describe T;\ndef even "Ey n=2*y";\ndescribe $even;',
    "union": f"{_TWO}union c a b;",
    "intersect": f"{_TWO}intersect c a b;",
    "concat": f'{_PAIR}reg b {{0,1}} "1*";\nconcat c a b;\nregex c;',
    "star": f"{_PAIR}star c a;\nregex c;",
    "leftquo": f'{_PAIR}reg b {{0,1}} "0111";\nleftquo c b a;\nregex c;',
    "rightquo": f'{_PAIR}reg b {{0,1}} "1101";\nrightquo c b a;\nregex c;',
    "fixleadzero": 'reg a {0,1} "11";\nfixleadzero b a;\nregex b;',
    "fixtrailzero": 'reg a {0,1} "11";\nfixtrailzero b a;\nregex b;',
    "alphabet": 'reg a {0,1} "(0|1)*1";\nalphabet b msd_fib $a;\n$b(n) & n<10',
    "reverse": "reverse R T;\n?lsd_2 R[n]=1 & n<9",
    "minimize": "minimize M T;\ndescribe M;",
    "convert": "convert T4 msd_4 T;\nAn T4[n]=1 <=> ?msd_4 T4[n]=1",
    "word": "word X[n] = T[2*n+3]+RS[n];\nX[n]=1 & n<10\nword Y[n] = T[n] if n<4 else 5;\nY[n]=0",
    "morphism": 'morphism thue "0->01 1->10";\npromote X thue;\nAn X[n]=T[n]',
    "promote": 'morphism fib "0->01 1->0";\npromote X fib msd_fib;\nAn X[n]=F[n]',
    "image": 'morphism double "0->00 1->11";\nimage X double T;\nAn X[2*n]=T[n] & X[2*n+1]=T[n]',
    "combine": f"{_TWO}combine C a=7 b=8;\ndescribe C;\nC[n]=8",
    "join": "word X[n] = 2 if n<3 else 0;\njoin J X[n] T[n];\nJ[n]=1 & n<8",
    "split": 'def small "?msd_neg_2 n>_5 & n<3";\ncombine N small;\nsplit M N [-];\nM[n]=1',
    "rsplit": "rsplit N [+] T;\n?msd_neg_2 N[n]=1 & n<8",
    "family": 'family W "0->01,1->10 | 0->01,1->00";\n?msd_2_choices_2 Ei W[i]=1 & W[i+1]=1',
    "slope": 'slope small "[1-2]*";\n?msd_sturmian $small() => Ei C[i]=C[i+1]',
    "ost": "ost root3 [0 1] [1 2];\n?msd_root3 x+x=8",
    "dumont_thomas": 'dumont_thomas w "0->01, 1->20, 2->0";\n?msd_w W[n]=2 & n<20',
    "export": 'def even "Ey n=2*y";\nexport $even GV;\nexport T TXT;',
    "[strategy]": '[strategy * CCLS]eval "Ax Ey y>x"::',
    "[export]": '[export * BA]eval t "Ax Ey y>x"::',
})
