"""Theorems declared in scripts: chapters, the runner that carries them out, and its report."""
