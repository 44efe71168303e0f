"""Templates: named in the database, their files in storage, compiled in memory."""
