"""Meeting topics (contract section 4)."""
