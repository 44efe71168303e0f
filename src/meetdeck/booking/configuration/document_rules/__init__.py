"""Document rules: which decks are made for meetings."""
