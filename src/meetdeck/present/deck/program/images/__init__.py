"""Pictures from the data."""
