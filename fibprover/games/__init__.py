"""Take-away games on two piles: rules, P-positions to a bound, Sprague-Grundy values."""
