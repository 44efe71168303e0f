"""Writing a message: its words, its layouts, and the mail that carries it. Pure: no database, no network, no clock."""
