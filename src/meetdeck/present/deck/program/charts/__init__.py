"""Charts filled with data, and the workbooks behind them."""
