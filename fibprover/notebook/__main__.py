"""`python -m fibprover.notebook -f FILE`: the kernel, as Jupyter starts it."""

from __future__ import annotations

from ipykernel.kernelapp import IPKernelApp

from fibprover.notebook.kernel import FibproverKernel

if __name__ == "__main__":
    IPKernelApp.launch_instance(kernel_class=FibproverKernel)
