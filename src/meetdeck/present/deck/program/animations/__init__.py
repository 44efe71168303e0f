"""Animations by paragraph, series and category: as many of them as the data gives what they move."""
