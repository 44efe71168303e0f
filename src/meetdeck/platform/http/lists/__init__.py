"""Long lists, whole or by page, as JSON or CSV."""
