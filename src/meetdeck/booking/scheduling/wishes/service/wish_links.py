"""The links of the waiting list: whoever has a wish's may withdraw it, whoever has an offer's may take the time."""

from meetdeck.booking.scheduling.signed_links import SignedLinks


class WishLinks(SignedLinks):
    """Makes and reads the tokens of wishes. They end with the wish."""

    purpose = b"meetdeck wish links"


class OfferLinks(SignedLinks):
    """Makes and reads the tokens of offers, by their reservations. They end when the time is not held any more."""

    purpose = b"meetdeck offer links"
