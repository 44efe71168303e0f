"""The SQL of the registry, and of the labels of resources."""
