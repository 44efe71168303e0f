"""Pictures of some demo advisors, drawn: flat shapes, and no face of anybody."""

import io
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from meetdeck.booking.directory.employees.store import set_picture
from meetdeck.demo.firm import Firm
from meetdeck.platform.database import Connection
from meetdeck.present.render.portraits import draw_portrait

_SIDE: Final = 576
"""Pixels: three times what is kept, so that edges are smooth."""

_NAME: Final = "update employee set picture_content_id = $2 where employee_id = $1"


class _Person(NamedTuple):
    """The colors of a drawn person, and how long the hair is, from the top of the head (0) to the shoulders (1)."""

    ground: str
    skin: str
    hair: str
    clothes: str
    length: float


_PEOPLE: Final = {
    "Bo Lind": _Person("#DCE9E6", "#E8B995", "#6B4A2B", "#28465C", 0.15),
    "Camilla Friis": _Person("#F3E3D3", "#F1C7A8", "#C98F3F", "#7A2E43", 0.9),
    "Eva Sand": _Person("#E1E4F0", "#E9BFA0", "#3A2A22", "#3C5A40", 0.6),
    "Hassan Ali": _Person("#EFE9DA", "#B77F55", "#1E1B1A", "#2F3E63", 0.1),
    "Ida Bech": _Person("#DDEBF2", "#F0C9AC", "#8C4A2F", "#44506B", 0.75),
}
"""Employees who are not listed here are shown by initials."""


async def add_pictures(connection: Connection, firm: Firm) -> None:
    """Store the pictures of a firm's advisors; `connection` is in its tenant's transaction."""
    for advisor in firm.advisors:
        if person := _PEOPLE.get(advisor.name):
            employee_id = firm.id_of("employee", advisor.name)
            await connection.execute(_NAME, employee_id, firm.id_of("picture", advisor.name))
            await set_picture(connection, employee_id, _draw(person))  # a statement later: naming one forgets the last


def _draw(person: _Person) -> bytes:
    image = Image.new("RGB", (_SIDE, _SIDE), person.ground)
    pen = ImageDraw.Draw(image)
    aside = 178 - 20 * person.length
    pen.ellipse((aside, 96, _SIDE - aside, 310 + person.length * 210), fill=person.hair)  # behind the head
    pen.ellipse((70, 420, 506, 800), fill=person.clothes)
    pen.rounded_rectangle((244, 330, 332, 470), 40, fill=person.skin)
    pen.polygon([(236, 432), (340, 432), (288, 500)], fill=person.skin)
    pen.ellipse((188, 130, 388, 388), fill=person.skin)
    pen.pieslice((180, 104, 396, 340), 180, 360, fill=person.hair)  # above the forehead
    for x in (248, 328):
        pen.ellipse((x - 9, 252, x + 9, 270), fill="#2B2B2B")
    pen.arc((250, 270, 326, 330), 25, 155, fill="#8A3B33", width=7)
    out = io.BytesIO()
    image.save(out, "PNG")
    return draw_portrait(out.getvalue())
