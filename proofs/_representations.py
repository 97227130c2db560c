"""Regular expressions on the representations of numbers, for the systems with the digits 0, ..., d."""


def even_zeros(d: int) -> str:
    """The word of digits ends in an even number of zeros, or has no other digit."""
    other = "|".join(str(digit) if digit < 10 else f"[{digit}]" for digit in range(1, d + 1))
    return f"0*|(0|{other})*({other})(00)*"


def left_shift(d: int) -> str:
    """Over pairs of digits: the second word is the first one with a zero appended.

    Each digit of the second word is the next one of the first: a letter [x,e] is followed by a letter
    [e,y], the first letter is some [0,y] and the last one some [x,0].  Left of `&` this is said of the letters
    1 and 2, 3 and 4, ..., right of it of the letters 2 and 3, 4 and 5, ... and of the first one; the last
    letter is on one side or the other.  (Without `&` an expression is exponentially long in d.)
    """
    digits = range(d + 1)
    into = ["(" + "|".join(f"[{x},{e}]" for x in digits) + ")" for e in digits]
    out_of = ["(" + "|".join(f"[{e},{y}]" for y in digits) + ")" for e in digits]
    linked = "(" + "|".join(into[e] + out_of[e] for e in digits) + ")*"
    return f"{linked}{into[0]}?&({out_of[0]}{linked}{into[0]}?)?"
