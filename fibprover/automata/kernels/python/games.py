"""The solvers of games, by the contract of `fibprover_ext/games.pyi`."""

from fibprover.automata.kernels.python.boards import Intervals as Intervals
from fibprover.automata.kernels.python.boards import Regions as Regions
from fibprover.automata.kernels.python.cubes import cube_positions as cube_positions
from fibprover.automata.kernels.python.lines import line_positions as line_positions
from fibprover.automata.kernels.python.queens import queen_residuals as queen_residuals
from fibprover.automata.kernels.python.regions import region_grundy as region_grundy
from fibprover.automata.kernels.python.regions import region_positions as region_positions
from fibprover.automata.kernels.python.tables import table_grundy as table_grundy
from fibprover.automata.kernels.python.tables import table_positions as table_positions
