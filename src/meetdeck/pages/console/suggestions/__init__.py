"""What fields suggest while somebody types."""
