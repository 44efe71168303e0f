"""Customer types (contract section 4)."""
