"""`{{image:logo}}`: pictures from the data."""
