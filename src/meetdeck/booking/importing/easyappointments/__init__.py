"""Importing from Easy!Appointments: its tables as CSV, as the rows of an import."""
