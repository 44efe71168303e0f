"""The label registry, which both services use: labels, and the resources that have them."""
