"""Words from papers, by a morphism and perhaps a coding, that are not in the library under these rules."""

from __future__ import annotations

_KERANEN = (
    "abcacdcbcdcadcdbdabacabadbabcbdbcbacbcdcacbabdabacadcbcdcacdbcbacbcdcacdcbdcdadbdcbca"
)


def _keranen() -> str:
    """Return the 85-uniform morphism of Keranen (1992): the letters a, b, c, d take turns."""
    images = [_KERANEN]
    for _ in range(3):
        images.append(images[-1].translate(str.maketrans("abcd", "bcda")))
    return ", ".join(f"{letter}->{image}" for letter, image in zip("abcd", images, strict=True))


#: Rules of a morphism, and of a coding; "" without one.
PAPER_WORDS: dict[str, tuple[str, str]] = {
    "Dekking, conjugate -1.449": ("0->011, 1->0001", ""),
    "Chacon": ("0->0010, 1->1", ""),
    "Chacon, primitive": ("0->0012, 1->12, 2->012", ""),
    "three letters, large adder": ("0->01, 1->20, 2->0", ""),
    "Keranen": (_keranen(), ""),
    "Leech": ("0->0121021201210, 1->1202102012021, 2->2010210120102", ""),
    "Stewart's choral word": ("0->001, 1->011", ""),
    "Mephisto waltz": ("0->001, 1->110", ""),
    "Dean": ("0->01, 1->21, 2->03, 3->23", ""),
    "paperfolding": ("a->ab, b->cb, c->ad, d->cd", "a->1, b->1, c->0, d->0"),
    "Rudin and Shapiro": ("a->ab, b->ac, c->db, d->dc", "a->0, b->0, c->1, d->1"),
    "period doubling": ("0->01, 1->00", ""),
    "ternary period doubling": ("0->001, 1->002, 2->000", ""),
    "Jacobsthal": ("0->011, 1->0", ""),
    "silver mean": ("0->001, 1->0", ""),
    "bronze mean": ("0->0001, 1->0", ""),
    "Thue and Morse": ("0->01, 1->10", ""),
    "Thue and Morse, three letters": ("0->01, 1->12, 2->20", ""),
    "Thue, square-free": ("a->abc, b->ac, c->b", ""),
    "Tribonacci": ("0->01, 1->02, 2->0", ""),
    "four bonacci": ("0->01, 1->02, 2->03, 3->0", ""),
    "Narayana's cows": ("0->01, 1->2, 2->0", ""),
    "Narayana's family, the fourth": ("0->01, 1->2, 2->3, 3->0", ""),
    "Klouda, three letters": ("0->0012, 1->2, 2->012", ""),
    "Klouda, five letters": ("1->1211, 2->311, 3->2412, 4->435, 5->534", ""),
    "blocks of Fibonacci": ("a->ab, b->a", "a->011, b->01"),
    "blocks of three letters": ("a->ab, b->cb, c->a", "a->011, b->0, c->01"),
    "three letters, 5/2": ("0->01, 1->21, 2->0", ""),
    "two letters, 1 + sqrt(3)": ("0->011, 1->01", ""),
    "four letters, not Pisot": ("0->01, 1->23, 2->0, 3->12", ""),
    "two letters, not Pisot": ("0->0111, 1->0", ""),
    "unbounded eigenvalues": ("0->0001, 1->011", ""),
}
