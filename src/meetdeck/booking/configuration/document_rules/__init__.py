"""Document rules: which decks are created for meetings."""
