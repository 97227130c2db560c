"""From a set of positions to the rules of an invariant game whose P-positions they are.

In: a set of pairs or triples of numbers, a relation or what `sources` makes one of.  Out: an `Invention` (`invent`),
the rules with their proof, or a position that no rules can reach.  Boards are in `differences`, the shapes of rules in
`parts`, the search in `thinning`.  Begin with `invent.invent`.
"""
