"""The slot search: pure; the clock and all data are arguments."""
