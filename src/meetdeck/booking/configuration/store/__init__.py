"""The configuration's SQL, a file for each resource."""
