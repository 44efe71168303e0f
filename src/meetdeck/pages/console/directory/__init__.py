"""The page of the firm's directory: the tokens with which it writes employees and groups."""
