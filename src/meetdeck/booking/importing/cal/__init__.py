"""Importing from Cal.com: the answers of its API v2, as the rows of an import."""
