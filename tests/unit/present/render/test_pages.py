import io
from concurrent.futures import ThreadPoolExecutor

import pikepdf
import pytest
from PIL import Image

from meetdeck.present.render.pages import PictureFormat, page_count, page_picture, page_pictures, picture_size


@pytest.fixture(scope="module")
def pdf() -> bytes:
    """Three pages of 720 by 405 points: white, all red, and one as high as a bookmark."""
    document = pikepdf.new()
    for _ in range(2):
        document.add_blank_page(page_size=(720, 405))
    document.add_blank_page(page_size=(72, 4032))
    document.pages[1].Contents = pikepdf.Stream(document, b"1 0 0 rg 0 0 720 405 re f")
    packed = io.BytesIO()
    document.save(packed)
    return packed.getvalue()


def opened(picture: bytes) -> Image.Image:
    return Image.open(io.BytesIO(picture))


def test_pages_are_counted(pdf: bytes) -> None:
    assert page_count(pdf) == 3


@pytest.mark.parametrize("picture_format", ["png", "webp"])
def test_a_page_is_drawn_as_wide_as_asked(pdf: bytes, picture_format: PictureFormat) -> None:
    picture = opened(page_picture(pdf, 1, width=640, picture_format=picture_format))
    assert picture.format == picture_format.upper()
    assert picture.size == (640, 360)
    (_, red), (_, green), (_, blue) = ((band.getextrema()) for band in picture.convert("RGB").split())
    assert (red, green, blue) == (pytest.approx(255, abs=5), pytest.approx(0, abs=5), pytest.approx(0, abs=5))


def test_an_extremely_high_page_is_drawn_smaller(pdf: bytes) -> None:
    assert opened(page_picture(pdf, 2, width=2560)).size == (183, 10_240)


def test_a_picture_is_exactly_as_large_as_was_said_before(pdf: bytes) -> None:
    for width in range(160, 360):
        size = picture_size(width, 9144000, 5143500)
        assert opened(page_picture(pdf, 1, width=size[0], height=size[1])).size == size


def test_a_page_of_odd_proportions_is_as_wide_as_asked() -> None:
    document = pikepdf.new()
    document.add_blank_page(page_size=(720.28, 405.01))
    packed = io.BytesIO()
    document.save(packed)
    for width in range(1270, 1290):
        assert opened(page_picture(packed.getvalue(), 0, width=width)).size == picture_size(width, 720.28, 405.01)


@pytest.mark.parametrize("index", [-1, 3])
def test_a_page_that_is_not_there_is_an_error(pdf: bytes, index: int) -> None:
    with pytest.raises(IndexError):
        page_picture(pdf, index, width=160)


def test_all_pages_come_in_order(pdf: bytes) -> None:
    assert list(page_pictures(pdf, width=320)) == [page_picture(pdf, index, width=320) for index in range(3)]


def test_pages_can_be_drawn_from_many_threads(pdf: bytes) -> None:
    with ThreadPoolExecutor(4) as threads:
        drawn = [threads.submit(page_picture, pdf, 1, width=320) for _ in range(20)]
    assert len({future.result() for future in drawn}) == 1
