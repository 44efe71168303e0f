"""The bodies, queries and answers of meetings."""
