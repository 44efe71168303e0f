"""Work that is done later, or by one process alone."""
