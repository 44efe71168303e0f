"""What every request passes before its handler."""
