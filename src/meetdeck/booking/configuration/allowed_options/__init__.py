"""What can be chosen for a meeting before a time is searched for."""
