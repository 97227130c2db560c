"""The prover: from a formula to a verdict.

In: a formula (a tree of `fibprover.language`) and an `Environment`, which says what names mean. Out: a `Verdict` with
evidence for a closed formula, a `Relation` for one with free variables. `decide` calls the stations in order: `bind`
gives each variable an identity and a sort, `lower` takes terms apart into `logic`, `plan` makes a tree of steps,
`evaluate` carries them out with automata, `verdict` looks for evidence, and `certificate` writes a proof of a verdict.

Begin with `decide.decide`.
"""
