"""Manage links: anyone with a meeting's link can move, change and cancel it."""

from meetdeck.booking.scheduling.signed_links import SignedLinks


class ManageLinks(SignedLinks):
    """Makes and reads the tokens of manage links. They expire with the meeting."""

    purpose = b"meetdeck manage links"
