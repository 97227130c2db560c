"""Theorems on all Sturmian words at once: for every irrational slope, or for exactly some of them.

C is the characteristic word of the slope [0; a_1, a_2, ...], from C[0] on.  "Pecan T.n" are the theorems of the
repository ReedOei/SturmianWords, which Pecan has proved by Buechi automata (P. Hieronymi, D. Ma, R. Oei, L.
Schaeffer, C. Schulz, J. Shallit, Decidability for Sturmian words, CSL 2022); its words begin at C[1].  Denominators
of semiconvergents are here the lengths of palindromic prefixes plus 2, and 1; T.9 is not here: whether all partial
quotients from some point on are 1 is settled by no beginning of a slope.  Nor is T.28, which reads the periods of a
prefix off a lazy Ostrowski representation of its length: formulas here do not see digits.

Where a theorem holds for some slopes only, an expression over partial quotients says which ones, and the theorem is
that they are exactly these.  What has the source "found here" was not stated anywhere that we know of.
"""

import fibprover as fp

ADDER = "Baranwal, Schaeffer & Shallit 2021"
FOUND = "found here"

c = fp.Chapter("All Sturmian words", source="Hieronymi et al. 2022", system="msd_sturmian")

c.define("feq", "Ak k<n => C[i+k]=C[j+k]", statement="the factors of length n at i and at j are equal")
c.define("rev", "Ak k<n => C[i+k]=C[j+n-1-k]", statement="one is the reversal of the other")
c.define("pal", "Ak k<n => C[i+k]=C[i+n-1-k]", statement="the factor of length n at i is a palindrome")
c.define("per", "p>0 & p<=n & $feq(i,i+p,n-p)", statement="the factor of length n at i has the period p")
c.define("first", "~(Ej j<i & $feq(i,j,n))", statement="the factor of length n at i does not occur before")
c.define("square", "n>0 & $feq(i,i+n,n)", statement="a square of order n at i")
c.define("cube", "n>0 & $feq(i,i+n,2*n)", statement="a cube of order n at i")
c.define("fourth", "n>0 & $feq(i,i+n,3*n)", statement="a fourth power of order n at i")
c.define("antisquare", "n>0 & Ak k<n => C[i+k]!=C[i+n+k]", statement="an antisquare of order n at i")
c.define("antipal", "n>0 & Ak k<n => C[i+k]!=C[i+n-1-k]", statement="an antipalindrome of length n at i")
c.define("alternates", "Ak k+1<n => C[i+k]!=C[i+k+1]", statement="the factor of length n at i is 0101... or 1010...")
c.define(
    "unbordered", "n>0 & ~(Em m>=1 & m<n & $feq(i,i+n-m,m))", statement="the factor of length n at i has no border",
)
c.define("special", "Ej $feq(i,j,n) & C[i+n]!=C[j+n]", statement="it is right special")
c.define("leftspecial", "Ej $feq(i+1,j+1,n) & C[i]!=C[j]", statement="the factor of length n at i+1 is left special")
c.define("semi", "n=1 | (n>=2 & $pal(0,n-2))", statement="n is the denominator of a semiconvergent")
c.define("least_per", "$per(i,n,p) & ~(Eq q<p & $per(i,n,q))", statement="p is the least period")
c.define("most_antisquare", "(Ei $antisquare(i,n)) & (Ai,m $antisquare(i,m) => m<=n)")
c.define("most_antipal", "(Ei $antipal(i,n)) & (Ai,m $antipal(i,m) => m<=n)")

# -- numbers ---------------------------------------------------------------------------------------

c.theorem("sturmian.adder.zero", "Ax x+0=x", source=ADDER, statement="x + 0 = x")
c.theorem("sturmian.adder.zero.one", "Ax x+1=x", form="control", statement="x + 1 = x")
c.theorem(
    "sturmian.adder.successor", "Ax,y,z,u,v (x+y=z & u=y+1 & v=z+1) => x+u=v", source=ADDER,
    statement="x + (y+1) = (x+y) + 1",
)
c.theorem(
    "sturmian.adder.successor.two", "Ax,y,z,u,v (x+y=z & u=y+1 & v=z+2) => x+u=v", form="control",
    statement="x + (y+1) = (x+y) + 2",
)
c.theorem("sturmian.adder.total", "Ax,y Ez x+y=z", source=ADDER, statement="sums exist")
c.theorem(
    "sturmian.adder.total.differences", "Ax,y Ez y+z=x", form="control",
    statement="differences of natural numbers exist",
)
c.theorem(
    "sturmian.order", "Ax,y (x<y | x=y | y<x) & ~(x<y & y<x)", source=ADDER,
    statement="the order is total",
)
c.theorem(
    "sturmian.order.discrete", "Ax,y x<y <=> x+1<=y", source=ADDER,
    statement="there is nothing between x and x + 1",
)
c.theorem(
    "sturmian.order.discrete.two", "Ax,y x<y <=> x+2<=y", form="control",
    statement="there is nothing between x and x + 2",
)
c.theorem(
    "sturmian.order.dense", "Ax,y x<y => Ez x<z & z<y", form="control", statement="the order is dense (it is not)",
)

# -- factors ---------------------------------------------------------------------------------------

c.theorem(
    "sturmian.aperiodic", "~(Ei,p p>0 & Aj j>=i => C[j]=C[j+p])", source="Pecan T.3",
    statement="C is not eventually periodic",
)
c.theorem(
    "sturmian.aperiodic.squares", "~(Ei,p p>0 & Aj (j>=i & j<i+p) => C[j]=C[j+p])", form="control",
    statement="C has no square",
)
c.theorem(
    "sturmian.recurrent", "Ai,n Ej j>i & $feq(i,j,n)", source="Pecan T.24",
    statement="each factor occurs again and again",
)
c.theorem(
    "sturmian.recurrent.infinitely", "Ai,n Ij $feq(i,j,n)", source="Pecan T.24",
    statement="each factor occurs infinitely often",
)
c.theorem(
    "sturmian.recurrent.infinitely.others", "Ai,n Ij ~$feq(i,j,n)", form="control",
    statement="infinitely many places have another factor of length n (not if n = 0)",
)
c.theorem(
    "sturmian.recurrent.soon", "Ai,n n>0 => Ej j>i & j<=i+3*n & $feq(i,j,n)", form="control",
    statement="each factor of length n occurs again within 3n places (not if a_2 = 2)",
)
c.theorem(
    "sturmian.balanced", "~(Ei,j,n C[i]=0 & C[j]=1 & $feq(i+1,j+1,n) & C[i+n+1]=0 & C[j+n+1]=1)", source="Pecan T.11",
    statement="C is balanced: there is no w such that 0w0 and 1w1 are factors",
)
c.theorem(
    "sturmian.balanced.words", "~(Ei,j,n C[i]=0 & C[j]=1 & $feq(i+1,j+1,n))", form="control",
    statement="there is no w such that 0w and 1w are factors (there is one of each length)",
)
c.theorem(
    "sturmian.mirror", "Ai,n Ej $rev(i,j,n)", source="Pecan T.20", statement="the reversal of each factor is a factor",
)
c.theorem("sturmian.mirror.itself", "Ai,n $rev(i,i,n)", form="control", statement="each factor is its own reversal")
c.theorem(
    "sturmian.special", "An E=1 i $special(i,n) & $first(i,n)", source="Pecan T.21",
    statement="there is one right special factor of each length, so that there are n + 1 factors of length n",
)
c.theorem(
    "sturmian.special.prefix", "Ai,n $special(i,n) => $rev(i,0,n)", source="Pecan T.22",
    statement="the right special factor is the reversal of a prefix",
)
c.theorem(
    "sturmian.special.prefix.forwards", "Ai,n $special(i,n) => $feq(i,0,n)", form="control",
    statement="the right special factor is a prefix",
)
c.theorem(
    "sturmian.special.left", "Ai,n $leftspecial(i,n) => $feq(i+1,0,n)", source="Pecan T.22",
    statement="the left special factor is a prefix",
)
c.theorem(
    "sturmian.special.left.backwards", "Ai,n $leftspecial(i,n) => $rev(i+1,0,n)", form="control",
    statement="the left special factor is the reversal of a prefix",
)
c.theorem(
    "sturmian.special.two", "An E=2 i $special(i,n) & $first(i,n)", form="control",
    statement="there are two right special factors of each length",
)

# -- palindromes -----------------------------------------------------------------------------------

c.theorem(
    "sturmian.palindromes", "An Ei $pal(i,n)", source="Pecan T.12", statement="there are palindromes of every length",
)
c.theorem(
    "sturmian.palindromes.even", "An E=1 i $pal(i,2*n) & $first(i,2*n)",
    source="Pecan T.13; Droubay & Pirillo 1999", statement="there is one palindrome of each even length",
)
c.theorem(
    "sturmian.palindromes.even.two", "An E=2 i $pal(i,2*n) & $first(i,2*n)", form="control",
    statement="there are two palindromes of each even length",
)
c.theorem(
    "sturmian.palindromes.odd", "An E=2 i $pal(i,2*n+1) & $first(i,2*n+1)",
    source="Pecan T.13; Droubay & Pirillo 1999", statement="there are two palindromes of each odd length",
)
c.theorem(
    "sturmian.palindromes.odd.one", "An E=1 i $pal(i,2*n+1) & $first(i,2*n+1)", form="control",
    statement="there is one palindrome of each odd length",
)
c.theorem(
    "sturmian.palindromes.one", "An E=1 i $pal(i,n) & $first(i,n)", form="control",
    statement="there is one palindrome of each length",
)
c.theorem(
    "sturmian.palindromes.prefixes", "An Em m>n & $pal(0,m)", source="Pecan T.14",
    statement="C begins with arbitrarily long palindromes",
)
c.theorem(
    "sturmian.palindromes.prefixes.each", "An $pal(0,n)", form="control",
    statement="each prefix is a palindrome",
)

# -- powers ----------------------------------------------------------------------------------------

c.theorem("sturmian.squares", "Ei,n $square(i,n)", source="Pecan T.5", statement="there are squares")
c.theorem(
    "sturmian.squares.prefixes", "An Em m>n & $square(0,m)", source="Pecan T.4",
    statement="C begins with arbitrarily long squares",
)
c.theorem(
    "sturmian.squares.prefixes.each", "An n>0 => $square(0,n)", form="control",
    statement="squares of each order begin at 0",
)
c.theorem(
    "sturmian.squares.everywhere", "Ai,n Em m>n & $square(i,m)", source="Pecan T.4",
    statement="arbitrarily long squares begin at each place",
)
c.theorem(
    "sturmian.squares.everywhere.semi", "Ai,n $semi(n) => $square(i,n)", form="control",
    statement="squares of each such order begin at each place",
)
c.theorem(
    "sturmian.squares.orders", "Ai,n $square(i,n) => ($semi(n) | Em m<n & $square(i,m) & $feq(i,i+m,2*n-m))",
    source="Pecan T.6",
    statement="the order of a square is the denominator of a semiconvergent, unless it has a square of"
    " smaller order whose period it has",
)
c.theorem(
    "sturmian.squares.orders.all", "Ai,n $square(i,n) => $semi(n)", form="control", source="Pecan T.6",
    statement="the order of every square is the denominator of a semiconvergent (not that of the square of a square)",
)
c.theorem(
    "sturmian.squares.each_order", "An n>0 => Ei $square(i,n)", form="control",
    statement="there are squares of every order",
)
c.theorem("sturmian.cubes", "Ei,n $cube(i,n)", source="Pecan T.8", statement="there are cubes")
c.theorem("sturmian.cubes.prefix", "En $cube(0,n)", form="control", statement="C begins with a cube, for each slope")
c.script('slope no_fourth "([2-3] | 1 [1-2]) [1-2] 1*";')
c.script('slope begins_with_1 "1 .*";')
c.theorem(
    "sturmian.fourth", "$no_fourth() <=> ~(Ei,n $fourth(i,n))", source="Pecan T.10, as an equivalence",
    statement="there is no fourth power for exactly the slopes ([2-3] | 1 [1-2]) [1-2] 1*: partial quotients are 1"
    " from the third or fourth one on",
)
c.theorem(
    "sturmian.fourth.none", "~(Ei,n $fourth(i,n))", form="control", statement="there are no fourth powers",
)
c.theorem("sturmian.fourth.all", "Ei,n $fourth(i,n)", form="control",
    statement="there are fourth powers, for each slope")

# -- periods and borders -----------------------------------------------------------------------------

c.theorem(
    "sturmian.unbordered.lengths", "Ai,n $unbordered(i,n) => $semi(n)", source="Pecan T.25",
    statement="the length of an unbordered factor is the denominator of a semiconvergent",
)
c.theorem(
    "sturmian.unbordered.lengths.converse", "Ai,n $semi(n) => $unbordered(i,n)", form="control",
    statement="all factors of such a length are unbordered",
)
c.theorem(
    "sturmian.unbordered.two", "An (n>=1 & $semi(n)) => E=2 i $unbordered(i,n) & $first(i,n)", source="Pecan T.27",
    statement="there are two unbordered factors of each such length",
)
c.theorem(
    "sturmian.unbordered.two.one", "An (n>=1 & $semi(n)) => E=1 i $unbordered(i,n) & $first(i,n)", form="control",
    statement="there is one unbordered factor of each such length",
)
c.theorem(
    "sturmian.unbordered.each_length", "An n>0 => E=2 i $unbordered(i,n) & $first(i,n)", form="control",
    source="Pecan T.27, as its title says it", statement="there are two unbordered factors of each length",
)
c.theorem(
    "sturmian.periods", "Ai,n,p $least_per(i,n,p) => $semi(p)", source="Pecan T.23",
    statement="the least period of a factor is the denominator of a semiconvergent",
)
c.theorem(
    "sturmian.periods.unbordered", "Ai,n,p $least_per(i,n,p) => Ej j>=i & j+p<=i+n & $unbordered(j,p)",
    source="Pecan T.26", statement="a factor with the least period p has an unbordered factor of length p",
)
c.theorem(
    "sturmian.periods.unbordered.prefix", "Ai,n,p $least_per(i,n,p) => $unbordered(i,p)", form="control",
    statement="a factor with the least period p begins with an unbordered factor of length p",
)
c.theorem(
    "sturmian.periods.longest",
    "Ai,n,p,q ($least_per(i,n,p) & q>p) => ~(Ej j>=i & j+q<=i+n & $unbordered(j,q))",
    source="Pecan T.26", statement="and no longer one",
)
c.theorem(
    "sturmian.periods.longest.as_long",
    "Ai,n,p,q ($least_per(i,n,p) & q>=p) => ~(Ej j>=i & j+q<=i+n & $unbordered(j,q))", form="control",
    statement="and none of length p",
)
c.theorem(
    "sturmian.periods.any", "Ai,n,p $per(i,n,p) => $semi(p)", form="control",
    statement="each period of a factor is the denominator of a semiconvergent",
)

# -- antisquares and antipalindromes -----------------------------------------------------------------

c.theorem(
    "sturmian.antipalindromes", "Ai,n $antipal(i,n) => $alternates(i,n)", source="Pecan T.2",
    statement="all antipalindromes are 0101...01 or 1010...10",
)
c.theorem(
    "sturmian.antipalindromes.converse", "Ai,n $alternates(i,n) => $antipal(i,n)", form="control",
    statement="all words 0101... are antipalindromes (not those of odd length)",
)
c.theorem(
    "sturmian.antisquares.alternate", "Ai,n $antisquare(i,n) => $alternates(i,2*n)", form="control",
    source="Pecan T.1",
    statement="all antisquares are 0101...01 or 1010...10 (1001 is another one)",
)
c.theorem(
    "sturmian.antisquares.half", "Ai,n $antisquare(i,n) => $alternates(i,n)",
    source="Pecan T.1, as its formula says it",
    statement="the first half of each antisquare is 0101... or 1010...",
)
c.theorem(
    "sturmian.antisquares.half.short", "Ai,n $antisquare(i,n) => n=1", form="control",
    statement="the order of each antisquare is 1",
)
c.theorem(
    "sturmian.antisquares.finite", "Em Ai,n $antisquare(i,n) => n<=m", source="Pecan T.7",
    statement="there are finitely many antisquares",
)
c.theorem(
    "sturmian.antisquares.finite.none", "~(Ei,n $antisquare(i,n))", form="control",
    statement="there are no antisquares",
)
c.theorem(
    "sturmian.antipalindromes.finite", "Em Ai,n $antipal(i,n) => n<=m", source="Pecan T.15",
    statement="there are finitely many antipalindromes",
)
c.theorem(
    "sturmian.antipalindromes.finite.two", "Ai,n $antipal(i,n) => n<=2", form="control",
    statement="antipalindromes have two letters at most, for each slope",
)
c.theorem(
    "sturmian.anti.extremes",
    "Am,n ($most_antisquare(n) & $most_antipal(m)) => n<=m & m<=2*n", source="Pecan T.17",
    statement="the length of the longest antipalindrome is between once and twice the order of the longest antisquare",
)
c.theorem(
    "sturmian.anti.extremes.equal", "Am,n ($most_antisquare(n) & $most_antipal(m)) => n=m", form="control",
    statement="both are equal",
)
c.theorem(
    "sturmian.anti.exist", "(En $most_antisquare(n)) & (En $most_antipal(n))", source="Pecan T.16",
    statement="there is a longest antisquare, and a longest antipalindrome",
)
c.theorem(
    "sturmian.anti.exist.two", "En $most_antisquare(n) & n>=2", form="control",
    statement="the order of the longest antisquare is at least 2, for each slope",
)
c.script('slope equal_extremes "(3 | 1 2 | (2 | 1 1) . 1) .*";')
c.script('slope double_extremes "([>=4] | 1 [>=3] | (2 | 1 1) 1 [>=2]) .*";')
c.theorem(
    "sturmian.anti.equal", "$equal_extremes() <=> En $most_antisquare(n) & $most_antipal(n)",
    source=f"Pecan T.18, {FOUND} for which slopes",
    statement="both are equal for exactly the slopes (3 | 1 2 | (2 | 1 1) . 1) .*",
)
c.theorem(
    "sturmian.anti.equal.all", "En $most_antisquare(n) & $most_antipal(n)", form="control",
    statement="this holds for every slope",
)
c.theorem(
    "sturmian.anti.double", "$double_extremes() <=> En $most_antisquare(n) & $most_antipal(2*n)",
    source=f"Pecan T.19, {FOUND} for which slopes",
    statement="one is twice the other for exactly the slopes ([>=4] | 1 [>=3] | (2 | 1 1) 1 [>=2]) .*",
)
c.theorem(
    "sturmian.anti.double.all", "En $most_antisquare(n) & $most_antipal(2*n)", form="control",
    statement="this holds for every slope",
)
c.theorem(
    "sturmian.anti.always_equal", "En $most_antisquare(n) & $most_antipal(n)", form="control",
    statement="both are equal for every slope",
)

# -- 0C and 1C ---------------------------------------------------------------------------------------

BOREL = "J.-P. Borel, F. Laubie 1993"
c.script('word Z[n] = C[n-1] if n>0 else 0;')
c.script('word O[n] = C[n-1] if n>0 else 1;')
c.theorem(
    "sturmian.least", "Ai i>0 => Ek (Aj j<k => Z[j]=Z[i+j]) & Z[k]<Z[i+k]", source=BOREL,
    statement="0C is lexicographically less than all its other suffixes: it is an infinite Lyndon word",
)
c.theorem(
    "sturmian.least.without_0", "Ai i>0 => Ek (Aj j<k => C[j]=C[i+j]) & C[k]<C[i+k]", form="control", source=BOREL,
    statement="so is C (it is not)",
)
c.theorem(
    "sturmian.greatest", "Ai i>0 => Ek (Aj j<k => O[j]=O[i+j]) & O[k]>O[i+k]", source=BOREL,
    statement="1C is greater than all its other suffixes",
)
c.theorem(
    "sturmian.greatest.without_1", "Ai i>0 => Ek (Aj j<k => C[j]=C[i+j]) & C[k]>C[i+k]", form="control", source=BOREL,
    statement="so is C (it is not)",
)
c.theorem(
    "sturmian.intercepts", "Ai,n (Ej Ak k<n => Z[i+k]=C[j+k]) & (Ej Ak k<n => O[i+k]=C[j+k])",
    statement="0C and 1C have the factors that C has",
)
c.theorem(
    "sturmian.intercepts.places", "Ai,n Ak k<n => Z[i+k]=C[i+k]", form="control",
    statement="and at the same places (they do not)",
)

# -- found here ------------------------------------------------------------------------------------

c.script('slope isolated "([>=4] | 1 [>=3]) .*";')
c.script('slope long_anti "(2 | 1 1) ([>=2] | 1 1) .*";')
c.script('slope two "(2 | 1 1) .*";')
c.script('slope soon_3 "[1-2] 1*";')
c.script('slope soon_4 "[1-3] [1-2]*";')
c.script('slope early_3 "([2-4] | 1 [1-3]) [1-3] [1-2]*";')
c.script('slope only_semi "([>=2] | 1 .) [1-3] [1-2]*";')
c.theorem(
    "sturmian.found.antisquares", "$isolated() <=> Ai,n $antisquare(i,n) => $alternates(i,2*n)", source=FOUND,
    statement="01 and 10 are the only antisquares for exactly the slopes ([>=4] | 1 [>=3]) .*",
)
c.theorem(
    "sturmian.found.antisquares.all", "Ai,n $antisquare(i,n) => $alternates(i,2*n)", form="control",
    statement="this holds for every slope",
)
c.theorem(
    "sturmian.found.antisquares.three", "$long_anti() <=> Ei,n n>=3 & $antisquare(i,n)", source=FOUND,
    statement="there are antisquares of order 3 or more for exactly the slopes (2 | 1 1) ([>=2] | 1 1) .*",
)
c.theorem(
    "sturmian.found.antisquares.three.all", "Ei,n n>=3 & $antisquare(i,n)", form="control",
    statement="this holds for every slope",
)
c.theorem(
    "sturmian.found.antisquares.not_three", "(Ei,n n>=3 & $antisquare(i,n)) <=> Ei,n n>=4 & $antisquare(i,n)",
    source=FOUND,
    statement="where there is an antisquare of order 3 or more, there is one of order 4 or more",
)
c.theorem(
    "sturmian.found.antisquares.not_three.five",
    "(Ei,n n>=3 & $antisquare(i,n)) <=> Ei,n n>=5 & $antisquare(i,n)", form="control",
    statement="and one of order 5 or more",
)
c.theorem(
    "sturmian.found.antipalindromes", "$two() <=> Ei,n n>2 & $antipal(i,n)", source=FOUND,
    statement="there is an antipalindrome of more than two letters for exactly the slopes (2 | 1 1) .*",
)
c.theorem(
    "sturmian.found.antipalindromes.all", "Ei,n n>2 & $antipal(i,n)", form="control",
    statement="this holds for every slope",
)
c.theorem(
    "sturmian.found.cube_prefix", "(En $cube(0,n)) <=> Ei,n $fourth(i,n)", source=FOUND,
    statement="C begins with a cube if and only if it has a fourth power",
)
c.theorem(
    "sturmian.found.cube_prefix.fourth_prefix", "(Ei,n $fourth(i,n)) <=> En $fourth(0,n)", form="control",
    statement="C begins with a fourth power if and only if it has one",
)
c.theorem(
    "sturmian.found.squares_of_all_orders", "$two() <=> An $semi(n) => Ei $square(i,n)", source=FOUND,
    statement="each denominator of a semiconvergent is the order of a square for exactly the slopes (2 | 1 1) .*",
)
c.theorem(
    "sturmian.found.squares_of_all_orders.all", "An $semi(n) => Ei $square(i,n)", form="control",
    statement="this holds for every slope",
)
c.theorem(
    "sturmian.found.prefix_periods", "$only_semi() <=> An,p ($per(0,n,p) & 2*p<=n) => $semi(p)", source=FOUND,
    statement="the orders of all squares at the beginning are denominators of semiconvergents for exactly the slopes"
    " ([>=2] | 1 .) [1-3] [1-2]*",
)
c.theorem(
    "sturmian.found.prefix_periods.all", "An,p ($per(0,n,p) & 2*p<=n) => $semi(p)", form="control",
    statement="this holds for every slope",
)
c.theorem(
    "sturmian.found.soon", "$soon_3() <=> Ai,n n>0 => Ej j>i & j<=i+3*n & $feq(i,j,n)", source=FOUND,
    statement="each factor of length n occurs again within 3n places for exactly the slopes [1-2] 1*",
)
c.theorem(
    "sturmian.found.soon.all", "Ai,n n>0 => Ej j>i & j<=i+3*n & $feq(i,j,n)", form="control",
    statement="this holds for every slope",
)
c.theorem(
    "sturmian.found.soon.4", "$soon_4() <=> Ai,n n>0 => Ej j>i & j<=i+4*n & $feq(i,j,n)", source=FOUND,
    statement="and within 4n places for exactly the slopes [1-3] [1-2]*",
)
c.theorem(
    "sturmian.found.soon.4.all", "Ai,n n>0 => Ej j>i & j<=i+4*n & $feq(i,j,n)", form="control",
    statement="this holds for every slope",
)
c.theorem(
    "sturmian.found.early", "$no_fourth() <=> Ai,n $first(i,n) => i<=2*n", source=FOUND,
    statement="all factors of length n begin within the first 2n + 1 places if and only if there is no fourth power",
)
c.theorem(
    "sturmian.found.early.all", "Ai,n $first(i,n) => i<=2*n", form="control",
    statement="this holds for every slope",
)
c.theorem(
    "sturmian.found.early.3", "$early_3() <=> Ai,n $first(i,n) => i<=3*n", source=FOUND,
    statement="and within the first 3n + 1 for exactly the slopes ([2-4] | 1 [1-3]) [1-3] [1-2]*",
)
c.theorem(
    "sturmian.found.early.3.all", "Ai,n $first(i,n) => i<=3*n", form="control",
    statement="this holds for every slope",
)
c.theorem(
    "sturmian.found.unbordered_prefixes", "E=1 n n>=2 & $unbordered(0,n)", source=FOUND,
    statement="one prefix of at least two letters is unbordered",
)
c.theorem(
    "sturmian.found.unbordered_prefixes.two", "E=2 n n>=2 & $unbordered(0,n)", form="control",
    statement="two such prefixes are unbordered",
)
c.theorem(
    "sturmian.first_letter", "$begins_with_1() <=> Ei C[i]=1 & C[i+1]=1", source="J. Berstel, P. Seebold 2002",
    statement="11 is a factor for exactly the slopes above 1/2, those with a_1 = 1",
)
c.theorem("sturmian.first_letter.all", "Ei C[i]=1 & C[i+1]=1", form="control", statement="this holds for every slope")
