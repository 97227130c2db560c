"""The kernels that infer automata from data, by the contract of `fibprover_ext/inference.pyi`."""

from fibprover.automata.kernels.python.guesses import accepted_up_to as accepted_up_to
from fibprover.automata.kernels.python.guesses import separating_depth as separating_depth
from fibprover.automata.kernels.python.residuals import infer as infer
