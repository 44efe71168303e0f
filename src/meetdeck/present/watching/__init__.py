"""`meetdeck template watch`: a template checked at each save, and pictures of its deck in a browser beside it."""
