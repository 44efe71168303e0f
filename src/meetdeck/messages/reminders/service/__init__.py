"""Planning reminders from events, making them due, and sending them."""
