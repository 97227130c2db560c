"""Combinatorial numbers modulo powers of primes: Catalan, Motzkin, Schroder, Delannoy and Apery numbers.

The letters of a word are coefficients of a power series modulo p^e.  The automaton is made by congruences between
polynomials (Rowland and Yassawi 2015), which are its proof, so that each statement is decided for all n.  Kummer's
theorem of 1852, that p divides binomial(2n, n) as often as there are carries when n is added to itself in base p, is
stated for p^2 with the digits that carry.
"""

import fibprover as fp

EU_LIU_YEH = "Eu, Liu & Yeh, Catalan and Motzkin numbers modulo 4 and 8 (2008)"
DEUTSCH_SAGAN = "Deutsch & Sagan, Congruences for Catalan and Motzkin numbers and related sequences (2006)"
ROWLAND_YASSAWI = "Rowland & Yassawi, Automatic congruences for diagonals of rational functions (2015)"
LIU_YEH = "Liu & Yeh, Catalan numbers modulo 2^k (2010), Theorem 5.5"
BY_METHOD = "by the method of Rowland & Yassawi (2015)"
KUMMER = "Kummer (1852)"

CATALAN, MOTZKIN = "y = 1 + x*y^2", "y = 1 + x*y + x^2*y^2"


def powers_of_2() -> fp.Chapter:
    """Numbers modulo 4, 8 and 16."""
    c = fp.Chapter("Combinatorial numbers modulo 4, 8 and 16", source=EU_LIU_YEH)
    c.script(
        f"word C4 = coefficients of {CATALAN} mod 4; word C8 = coefficients of {CATALAN} mod 8;"
        f"word C16 = coefficients of {CATALAN} mod 16; word M4 = coefficients of {MOTZKIN} mod 4;"
        f"word M8 = coefficients of {MOTZKIN} mod 8; word S4 = coefficients of y = 1 + x*y + x*y^2 mod 4;"
        "word Delannoy8 = diagonal of 1/(1-x-y-x*y) mod 8;"
        "word Binomial8 = constant terms of (x+2+1/x)^n mod 8;"
        "word Apery8 = constant terms of ((1+x)*(1+y)*(1+z)*(1+y+z+y*z+x*y*z)/(x*y*z))^n mod 8;"
    )
    c.reg("power", ["msd_2"], "0*10*")
    c.reg("two_powers", ["msd_2"], "0*10*10*")
    c.theorem("catalan.mod_4.not_3", "An C4[n]!=3", statement="no Catalan number is 3 modulo 4")
    c.theorem(
        "catalan.mod_4.not_3.two", "An C4[n]!=2", form="control",
        statement="none is 2 modulo 4 (C_2 is)",
    )
    c.theorem(
        "catalan.mod_4.odd", "An (C4[n]=1 | C4[n]=3) <=> $power(n+1)", source=f"{DEUTSCH_SAGAN}; well known",
        statement="C_n is odd if and only if n + 1 is a power of 2",
    )
    c.theorem(
        "catalan.mod_4.odd.shifted", "An (C4[n]=1 | C4[n]=3) <=> $power(n)", form="control",
        statement="C_n is odd if and only if n is a power of 2",
    )
    c.theorem(
        "catalan.mod_4.two", "An C4[n]=2 <=> $two_powers(n+1)",
        statement="C_n is 2 modulo 4 if and only if n + 1 is a sum of two different powers of 2",
    )
    c.theorem(
        "catalan.mod_4.two.power", "An C4[n]=2 <=> $power(n+1)", form="control",
        statement="C_n is 2 modulo 4 if and only if n + 1 is a power of 2",
    )
    c.theorem(
        "catalan.mod_8.missing", "An C8[n]!=3 & C8[n]!=7", statement="no Catalan number is 3 or 7 modulo 8",
    )
    c.theorem(
        "catalan.mod_8.missing.five", "An C8[n]!=5", form="control",
        statement="none is 5 modulo 8 (C_3 is)",
    )
    c.theorem(
        "catalan.mod_16.missing", "An C16[n]!=3 & C16[n]!=7 & C16[n]!=9 & C16[n]!=11 & C16[n]!=15",
        source=LIU_YEH, statement="no Catalan number is 3, 7, 9, 11 or 15 modulo 16",
    )
    c.theorem(
        "catalan.mod_16.missing.five", "An C16[n]!=5", form="control",
        statement="none is 5 modulo 16 (C_3 is)",
    )
    c.theorem("motzkin.mod_8", "An M8[n]!=0", statement="no Motzkin number is divisible by 8")
    c.theorem(
        "motzkin.mod_8.four", "An M8[n]!=4", form="control",
        statement="none is 4 modulo 8 (M_3 is)",
    )
    c.theorem("motzkin.mod_4", "An M4[n]!=0", form="control", statement="none is divisible by 4 (M_3 is)")
    c.reg("four_one", ["msd_2"], "0*(0|1)*01(00)+")
    c.reg("four_three", ["msd_2"], "0*(0|1)*11(00)+")
    c.theorem(
        "motzkin.mod_4.divisible", "An M4[n]=0 <=> ($four_one(n+1) | $four_three(n+2))",
        source=f"{EU_LIU_YEH}; conjectured by Amdeberhan, Deutsch and Sagan",
        statement="4 divides M_n if and only if n = (4i+1) 4^j - 1 or n = (4i+3) 4^j - 2 for some i >= 0 and j > 0",
    )
    c.theorem(
        "motzkin.mod_4.divisible.one", "An M4[n]=0 <=> $four_one(n+1)", form="control",
        statement="4 divides M_n if and only if n = (4i+1) 4^j - 1",
    )
    c.theorem(
        "schroeder.mod_4", "An n>0 => S4[n]=2", source=DEUTSCH_SAGAN,
        statement="all large Schroder numbers but the first are 2 modulo 4",
    )
    c.theorem(
        "schroeder.mod_4.first", "An S4[n]=2", form="control",
        statement="the first one is 2 modulo 4, too",
    )
    c.theorem(
        "delannoy.mod_8.odd", "An,m n=2*m => (Delannoy8[n]=1 | Delannoy8[n]=5)", source=BY_METHOD,
        statement="the central Delannoy number D_n is 1 modulo 4 for even n",
    )
    c.theorem(
        "delannoy.mod_8.odd.all", "An Delannoy8[n]=1 | Delannoy8[n]=5", form="control",
        statement="D_n is 1 modulo 4 for all n",
    )
    c.theorem(
        "binomial.mod_8", "An Binomial8[n]=0 <=> ~($power(n) | $two_powers(n) | n=0)", source=KUMMER,
        statement="8 divides binomial(2n, n) if and only if n has three binary digits 1 or more",
    )
    c.theorem(
        "binomial.mod_8.power", "An Binomial8[n]=0 <=> ~($power(n) | n=0)", form="control",
        statement="8 divides binomial(2n, n) if and only if n has two binary digits 1 or more",
    )
    c.theorem(
        "apery.mod_8", "An .Apery8[2*n]=1 & .Apery8[2*n+1]=5",
        source="Gessel, Some congruences for Apery numbers (1982)",
        statement="the Apery numbers of zeta(3) are 1 modulo 8 for even n and 5 for odd n",
    )
    c.theorem(
        "apery.mod_8.one", "An .Apery8[n]=1", form="control",
        statement="the Apery numbers are 1 modulo 8",
    )
    return c


def two_carries(c: fp.Chapter, prime: int) -> None:
    """The prime numbers that divide binomial(2n, n) twice, by the digits of n."""
    half = (prime - 1) // 2
    square, system = prime**2, f"msd_{prime}"
    few, less = f"[0-{half}]", f"[0-{half - 1}]" if half > 1 else "0"
    more = f"[{half + 1}-{prime - 1}]" if half + 1 < prime - 1 else str(prime - 1)
    c.script(f"word Binomial{square} = constant terms of (x+2+1/x)^n mod {square};")
    c.reg(f"one_carry_{prime}", [system], f"{few}*|{few}*{less}{more}{few}*")
    c.theorem(
        f"binomial.mod_{square}", f"?{system} An Binomial{square}[n]!=0 <=> $one_carry_{prime}(n)", source=KUMMER,
        statement=f"{square} does not divide binomial(2n, n) if and only if, in base {prime}, at most one digit of n "
        f"is greater than {half}, and the digit before it is less than {half}",
    )
    c.reg(f"small_digits_{prime}", [system], f"{few}*")
    c.theorem(
        f"binomial.mod_{square}.small", f"?{system} An Binomial{square}[n]!=0 <=> $small_digits_{prime}(n)",
        form="control", source=KUMMER, statement=f"only if no digit is greater than {half}",
    )


def odd_primes() -> fp.Chapter:
    """Numbers modulo 9, 25 and 49."""
    c = fp.Chapter("Combinatorial numbers modulo 9, 25 and 49", source=ROWLAND_YASSAWI)
    c.script(
        f"word M25 = coefficients of {MOTZKIN} mod 25; word Trinomial9 = constant terms of (x+1+1/x)^n mod 9;"
    )
    for prime in (3, 5, 7):
        two_carries(c, prime)
    c.reg("no_two", ["msd_3"], "[0-1]*")
    c.theorem(
        "trinomial.mod_9", "?msd_3 An (Trinomial9[n]=0 | Trinomial9[n]=3 | Trinomial9[n]=6) <=> ~$no_two(n)",
        source=DEUTSCH_SAGAN,
        statement="3 divides the central trinomial T_n if and only if n has the digit 2 in base 3",
    )
    c.theorem(
        "trinomial.mod_9.not",
        "?msd_3 An (Trinomial9[n]=0 | Trinomial9[n]=3 | Trinomial9[n]=6) <=> $no_two(n)", form="control",
        statement="3 divides T_n if and only if n has no digit 2 in base 3",
    )
    c.theorem(
        "motzkin.mod_25", "?msd_5 An M25[n]!=0", source=BY_METHOD, statement="no Motzkin number is divisible by 25",
    )
    c.theorem(
        "motzkin.mod_25.five", "?msd_5 An M25[n]!=5 & M25[n]!=10 & M25[n]!=15 & M25[n]!=20", form="control",
        statement="none is divisible by 5 (M_14 is)",
    )
    return c


powers_of_2()
odd_primes()
