"""`meetdeck template watch`: a template checked at each save, with pictures of its deck in a browser.

The files' times and sizes are read four times a second, because network drives, OneDrive and containers report changes
late or never; notifications would save less than a rendering takes. The page requests the next state after its own, and
is answered when it exists, or after 20 seconds.
"""
