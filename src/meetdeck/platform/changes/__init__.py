"""What a change writes beside itself, in its own transaction."""
