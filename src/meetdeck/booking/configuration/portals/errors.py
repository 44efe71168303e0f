"""Errors of portals, each with its stable code."""

from meetdeck.platform.errors import Conflict, Fault


class AddressTaken(Conflict):
    """A portal of the installation, of this tenant or another, has the address."""

    code = "address_taken"

    def __init__(self, address: str) -> None:
        detail = f"The address {address} is taken. Choose another."
        super().__init__(detail, faults=(Fault("/address", detail),))
