"""`{{table:holdings}}`: tables from the data."""
