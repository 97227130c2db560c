"""The kernels of inference are compiled: tests are left out where those in Python are demanded, or the only ones."""

from fibprover.automata.kernels import NAME

collect_ignore_glob = ["test_*.py"] if NAME == "python" else []
