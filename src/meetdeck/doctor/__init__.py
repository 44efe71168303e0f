"""`meetdeck doctor`: whether an installation has everything that it needs, and what to do otherwise.

It applies the rules of starting and does what callers cause (writes a file, renders a slide, reads a `cpr`), because no
check of settings finds a wrong key or a broken renderer. It creates nothing, and each check has its own time limit. It
is a command, not an address of the service, which is unavailable when the service does not start.
"""
