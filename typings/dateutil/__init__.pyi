"""What Meetdeck uses of dateutil, which declares no types."""
