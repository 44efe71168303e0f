"""The directory's SQL, a file for each resource and the one that all occupy."""
