"""The controllers of the console."""

from typing import Final

from litestar import Controller

from meetdeck.pages.console.endpoints import ConsoleSignIn, Overview

CONTROLLERS: Final[list[type[Controller]]] = [ConsoleSignIn, Overview]
