"""The mask of a QR code is the one that the library finds, module by module."""

from random import Random

import segno

from meetdeck.present.deck.program.images.qr_masks import make_qr

_LETTERS = "abcdefgh ABC0123456789:/?&=-é日"


def test_codes_are_those_of_the_library() -> None:
    chance = Random(5)  # noqa: S311 - the same each time
    masks = set[int]()
    for length in (1, 2, 5, 9, 14, 20, 33, 50, 70, 95, 120, 160, 400):
        for level in "lmqh":
            text = "".join(chance.choices(_LETTERS, k=length))
            expected = segno.make_qr(text, error=level, boost_error=False)
            masks.add(expected.mask)
            assert [bytes(row) for row in make_qr(text, level)] == [bytes(row) for row in expected.matrix], text
    assert masks == set(range(8))
