"""The last changes of meetings: what is said of them, and what can be done while nobody is told."""
