"""The kernels that infer automata from data, by the contract of `fibprover_ext/inference.pyi`."""

from tests.oracle.twins.extensions import Extensions as Extensions
from tests.oracle.twins.guesses import accepted_up_to as accepted_up_to
from tests.oracle.twins.guesses import separating_depth as separating_depth
from tests.oracle.twins.residuals import infer as infer
