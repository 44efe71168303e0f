"""Errors of portals, each with its stable code."""

from meetdeck.platform.errors import Conflict, Fault
from meetdeck.platform.phrases import phrase


class AddressTaken(Conflict):
    """Another portal of the installation, of this tenant or another, has the address."""

    code = "address_taken"

    def __init__(self, address: str) -> None:
        detail = phrase("The address {address} is taken. Choose another.", address=address)
        super().__init__(detail, faults=(Fault("/address", detail),))
