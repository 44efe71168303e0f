"""Manage links: whoever has a meeting's link may move, change and cancel it."""

from meetdeck.booking.scheduling.signed_links import SignedLinks


class ManageLinks(SignedLinks):
    """Makes and reads the tokens of manage links. They end with the meeting."""

    purpose = b"meetdeck manage links"
