"""The candidates of benchmarks/decks.py, each run in a process of its own."""
