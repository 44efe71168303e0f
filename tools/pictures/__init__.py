"""The parts of `make_pictures.py`."""
