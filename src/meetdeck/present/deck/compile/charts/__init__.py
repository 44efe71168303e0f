"""Compiling charts and the workbooks behind them."""
