"""`meetdeck backup` and `meetdeck restore`: a whole installation in one file."""
