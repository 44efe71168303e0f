"""The use of templates: how many decks are made of each, counted and reported."""
