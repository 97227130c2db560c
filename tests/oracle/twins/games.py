"""The solvers of games, by the contract of `fibprover_ext/games.pyi`."""

from tests.oracle.twins.boards import Intervals as Intervals
from tests.oracle.twins.boards import Regions as Regions
from tests.oracle.twins.cubes import cube_positions as cube_positions
from tests.oracle.twins.lines import line_positions as line_positions
from tests.oracle.twins.queens import queen_residuals as queen_residuals
from tests.oracle.twins.regions import region_grundy as region_grundy
from tests.oracle.twins.regions import region_positions as region_positions
from tests.oracle.twins.tables import table_grundy as table_grundy
from tests.oracle.twins.tables import table_positions as table_positions
