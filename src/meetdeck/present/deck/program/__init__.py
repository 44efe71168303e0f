"""A compiled template, and running it with data. Runs for each deck; no XML is read here."""
