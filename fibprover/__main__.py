"""`python -m fibprover`, the same as the command `fibprover`."""

import sys

from fibprover.frontends.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
