"""The commands that make predicates and words of others: each against its definition, on short words."""
