"""What explains each start of a day."""
