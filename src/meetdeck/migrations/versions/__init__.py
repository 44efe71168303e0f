"""One step a file: `NNNN_name.py` names it, `NNNN_name.sql` is it."""
