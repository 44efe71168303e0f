"""`python -m meetdeck` is `meetdeck`."""

from meetdeck.cli import main

main()
