"""What is measured can be run, and what is said of it is true."""
