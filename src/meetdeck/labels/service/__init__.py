"""The registry of labels, and the labels of resources."""
