"""`python -m fibprover.frontends.notebook -f FILE`: the kernel, as Jupyter starts it."""

from __future__ import annotations


def main() -> None:
    """Start the kernel, or exit with a message if ipykernel is missing."""
    try:
        from ipykernel.kernelapp import IPKernelApp
    except ImportError:
        raise SystemExit("the kernel needs ipykernel: pip install 'fibprover[notebook]'") from None
    from fibprover.frontends.notebook.kernel import FibproverKernel

    IPKernelApp.launch_instance(kernel_class=FibproverKernel)


if __name__ == "__main__":
    main()
