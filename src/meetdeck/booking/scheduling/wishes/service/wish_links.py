"""Links of the waiting list: an entry's link withdraws it, an offer's link takes the time."""

from meetdeck.booking.scheduling.signed_links import SignedLinks


class WishLinks(SignedLinks):
    """Makes and reads the tokens of wishes. They end with the wish."""

    purpose = b"meetdeck wish links"


class OfferLinks(SignedLinks):
    """Makes and reads the tokens of offers, by their reservations. They end when the time is no longer held."""

    purpose = b"meetdeck offer links"
