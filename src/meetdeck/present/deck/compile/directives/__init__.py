"""Directives: what alternative texts, titles and notes ask for. A module for each kind; its name is in `language`."""
