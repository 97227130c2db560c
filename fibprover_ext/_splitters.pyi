# Only for other kernels (cimport); nothing for Python.
