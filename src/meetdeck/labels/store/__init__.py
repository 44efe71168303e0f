"""The SQL of the registry, and of the labels that resources carry."""
