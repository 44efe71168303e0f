"""The ways to meet that a portal's page offers."""

from urllib.parse import urljoin

from lxml import html

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import Api

_PAGE = "http://meetdeck.test/p/nordlys"


async def _show_ways(api: Api) -> str:
    """Return the text of the page with the ways to meet about the first topic."""
    first = html.fromstring((await api.http.get(_PAGE)).text)
    (link, *_) = first.xpath("//main//li//a/@href")
    answer = await api.http.get(urljoin(f"{_PAGE}/", link) if link.startswith("/") else urljoin(_PAGE, link))
    return html.fromstring(answer.text).xpath("string(//main)")


async def test_customers_are_not_invited_to_an_office_that_has_no_address(api: Api, database: Database) -> None:
    assert "At our office" in await _show_ways(api)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update employee set location = ''")
        await connection.execute("delete from location")
    shown = await _show_ways(api)
    assert "At our office" not in shown
    assert "By telephone" in shown
