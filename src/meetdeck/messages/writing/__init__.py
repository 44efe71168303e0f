"""Writing a message: its words, its layouts, and its mail. Pure: no database, no network, no clock."""
