"""The database schema, step by step, in plain SQL run by alembic."""
