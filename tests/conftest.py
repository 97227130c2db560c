"""Settings of the whole test suite."""

from hypothesis import settings

# No deadline: a test never times itself, and this machine may be busy.  The blob makes a failure
# reproducible from the log alone.
settings.register_profile("fibprover", deadline=None, print_blob=True)
settings.load_profile("fibprover")
