"""Reference implementations and generators for tests; they share no code with the code that they check."""
