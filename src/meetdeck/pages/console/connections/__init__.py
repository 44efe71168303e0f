"""The page of connections: where people and busy times come from, and what to do when they do not."""
