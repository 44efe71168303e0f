"""Writing the events of meetings, and noticing those that were changed in the calendar."""
