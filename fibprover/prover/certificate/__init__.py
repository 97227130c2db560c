"""Certificates: proofs of verdicts, step by step, for a checker that knows nothing of fibprover.

A closed formula and the environment of its names go in; out come the lines of a certificate, which `fibcheck.py` checks
(docs/certificates.md). The formula is proved anew, with nothing of the plans that decide formulas but the automata of
atoms. Begin with `certificate` in writing.py. normal.py holds the normal form of formulas; core.py writes them in the
language of certificates, integers.py writes statements about integers as such about natural numbers; tables.py writes
systems, words, predicates and automata; atoms.py proves atoms, proof.py formulas, and terms.py finds the terms that a
guard has defined. statements.py reads formulas back into trees, for explained.py and for lean.py, which writes what is
proved for Lean.
"""
