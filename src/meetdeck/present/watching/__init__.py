"""`meetdeck template watch`: a template checked at each save, and pictures of its deck in a browser beside it.

The files' times and sizes are read four times a second, because network drives, OneDrive and containers report changes
late or never; notifications would save less than a rendering takes. The page asks for the state after its own and is
answered at the next one, or after 20 seconds.
"""
