"""What the configuration decides, a file for each resource."""
