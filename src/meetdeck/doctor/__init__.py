"""`meetdeck doctor`: whether an installation has what it needs, and what to do about what it lacks.

It asks the rules that starting has and does what callers cause (writes a file, renders a slide, reads a `cpr`), because
no check of settings finds a wrong key or a broken renderer. It creates nothing, and each check has its own time limit.
It is a command, not an address of the service, which is not there when the service does not start.
"""
