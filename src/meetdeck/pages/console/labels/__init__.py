"""The pages of labels: the registry, and where each is used."""
