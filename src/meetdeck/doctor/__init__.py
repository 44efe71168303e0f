"""`meetdeck doctor`: whether an installation has what it needs, and what to do about what it lacks."""
