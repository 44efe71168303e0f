"""The settings of a firm: a list and a form for each kind of resource that the API configures."""
