"""Animations by paragraph, series and category, repeated or left out with the content that the data gives."""
