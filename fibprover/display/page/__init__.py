"""What was proved, as one HTML file that needs neither a server nor the network."""
