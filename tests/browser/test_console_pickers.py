"""Choosing one of many by typing, in a browser: by keyboard, with a screen reader's roles, in all colors and sizes."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from support.accessibility import AXE, look, require_accessible
from support.portal_sites import Site

MANY = 51


@pytest.fixture(scope="module")
def many_people(site: Site) -> None:
    """Add more employees than a list has to choose from."""
    url = f"{site.address}/api/v3/booking/config/employees"
    for number in range(MANY):
        site.api.post(url, json={"name": f"Kim Berg {number:02}", "location": "Aarhus"}).raise_for_status()


def type_name(page: Page, text: str) -> None:
    """Type into the calendar's field, and wait for suggestions."""
    page.get_by_role("combobox", name="Advisor, team, room or location").fill(text)
    expect(page.get_by_role("option").first).to_be_visible()


@pytest.mark.usefixtures("many_people")
def test_a_person_is_chosen_by_keyboard_alone(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    page.goto(f"{site.address}/console/calendar?view=list")
    field = page.get_by_role("combobox", name="Advisor, team, room or location")
    expect(field).to_have_attribute("aria-expanded", "false")
    type_name(page, "berg 1")
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_text("14 suggestions. Choose with the arrow keys.")).to_be_attached()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    expect(page.get_by_role("listbox").get_by_role("option", selected=True)).to_contain_text("Kim Berg 10")
    expect(field).to_have_attribute("aria-activedescendant", "whose-option-2")
    page.keyboard.press("Escape")
    expect(page.get_by_role("option").first).to_be_hidden()
    expect(field).to_have_value("berg 1")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("listbox").get_by_role("option", selected=True)).to_contain_text("Kim Berg 41")
    page.keyboard.press("Enter")
    expect(field).to_have_value("Kim Berg 41")
    expect(field).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".period")).to_contain_text("Kim Berg 41")
    page.close()


@pytest.mark.usefixtures("many_people")
def test_what_was_typed_is_given_up_by_escape_and_taken_by_a_click(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    page.goto(f"{site.address}/console/calendar/why")
    field = page.get_by_role("combobox", name="Advisor")
    name = field.input_value()
    field.fill("berg 2")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(field).to_have_value(name)
    field.fill("berg 2")
    page.get_by_role("option", name="Kim Berg 25").click()
    expect(field).to_have_value("Kim Berg 25")
    page.get_by_role("button", name="Show").click()
    expect(field).to_have_value("Kim Berg 25")
    page.close()


@pytest.mark.usefixtures("many_people")
def test_suggestions_and_the_question_which_one_are_accessible(staff: BrowserContext, site: Site) -> None:
    if not AXE.exists():
        pytest.skip("no axe-core here: `make setup` installs it by npm")
    page = staff.new_page()
    page.goto(f"{site.address}/console/calendar?view=list")
    type_name(page, "berg")
    page.keyboard.press("ArrowDown")
    require_accessible(look(page, "suggestions"))
    page.goto(f"{site.address}/console/calendar?view=list&whose=&whose.text=berg&whose.was=")
    expect(page.get_by_role("radio").first).to_be_visible()
    require_accessible(look(page, "namesakes"))
    page.close()


@pytest.mark.usefixtures("many_people")
def test_several_are_chosen_one_after_the_other(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    page.goto(f"{site.address}/console/absences/new")
    field = page.get_by_role("combobox", name="Find more")
    for number in ("07", "08", "07"):
        field.fill(f"berg {number}")
        expect(page.get_by_role("option", name=f"Kim Berg {number}")).to_be_visible()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"Kim Berg {number} is chosen.")).to_be_attached()
        expect(field).to_have_value("")
    chosen = page.get_by_role("checkbox", name="Kim Berg")
    expect(chosen).to_have_count(2)
    require_accessible(look(page, "several that are chosen"))
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("Kim Berg 07")).to_be_visible()
    expect(page.get_by_text("Kim Berg 08")).to_be_visible()
    page.close()
