/-
A theorem that fibprover has decided, stated for Lean 4 with Mathlib.

From the certificate K2.stable.jsonl.gz, 241 claims, which the checker fibcheck.py accepts; SHA-256
bf0892d673a609f739c4a30caa40e64b0e7f246b972ef3df0ee855b2200a93a5.
Names: every name of the statement is defined by what it means.
Proof: none here.  `sorry` stands where it would be: who wants one has to supply it, by hand or by a checker of such
certificates that is written in Lean (docs/lean.md of fibprover).
Lean has not read this file: it was written, and compared with the certificate, by other programs.
-/
import Mathlib

namespace K2_stable

/-- phin: (n,m) with m = floor(n*(1+sqrt(5))/2). -/
def phin (n m : ℕ) : Prop := m = ⌊(n : ℝ) * ((1 + Real.sqrt 5) / 2)⌋₊

/-- The `n`-th letter of the fixed point of the morphism `h` that begins with the letter `a`: that of
its `n`-th iterate on `a`.  The image of `a` begins with `a` and is longer, and no image is empty,
so further iterates have the same letter there. -/
def fixedPoint (h : ℕ → List ℕ) (a n : ℕ) : ℕ :=
  ((fun w : List ℕ => w.flatMap h)^[n] [a]).getD n 0

/-- G: 101100111101001011011110110101101001011010110110101101111011..., the fixed point of a -> ab,
b -> c, c -> db, d -> ef, e -> df, f -> e that begins with a, with 1 for a, c, d, f; 0 for b, e. -/
def G_image : ℕ → List ℕ
  | 0 => [0, 1]
  | 1 => [2]
  | 2 => [3, 1]
  | 3 => [4, 5]
  | 4 => [3, 5]
  | 5 => [4]
  | _ => []

def G_coding : ℕ → ℕ
  | 0 => 1
  | 1 => 0
  | 2 => 1
  | 3 => 1
  | 4 => 0
  | 5 => 1
  | _ => 0

def G (n : ℕ) : ℕ := G_coding (fixedPoint G_image 0 n)

def P_asym (a b : ℕ) : Prop :=
  a + b ≤ 2 ∨ ∃ n x : ℕ, phin n x ∧ ((G n = 0 ∧ x = a + 1) ∨ (G n = 1 ∧ a = x)) ∧ ((G n = 0 ∧ n + x
  = b) ∨ (G n = 1 ∧ n + x + 1 = b))

def P (a b : ℕ) : Prop :=
  P_asym a b ∨ P_asym b a

/-- for all p, q, r and s, if P(p, q) and P(r, s) and r ≤ p and s ≤ q and 3 ≤ p + q, then (p = r and
q = s) or (r < p and s < q and p + s ≠ q + r) -/
theorem K2_stable :
    ∀ p q r s : ℕ, P p q ∧ P r s ∧ r ≤ p ∧ s ≤ q ∧ 3 ≤ p + q → (p = r ∧ q = s) ∨ (r < p ∧ s < q ∧ p
    + s ≠ q + r) := by
  sorry

end K2_stable
