"""The registry of labels, and the labels that resources carry."""
