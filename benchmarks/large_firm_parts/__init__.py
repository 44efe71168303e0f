"""The parts of `large_firm.py`."""
