"""What the operator set: in the environment, which is read once, and in the database."""
