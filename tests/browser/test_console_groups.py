"""Competence groups and the order of advisors in a browser: by keyboard, with branches that are read when opened."""

from playwright.sync_api import BrowserContext, expect

from support.accessibility import AXE, look, require_accessible
from support.portal_sites import Site


def make(site: Site, name: str, *above: str) -> str:
    made = site.api.post("config/competence-groups", json={"name": name, "parentGroupIds": [*above]})
    return made.raise_for_status().json()["id"]


def test_a_branch_is_opened_by_keyboard_and_a_group_added_below(staff: BrowserContext, site: Site) -> None:
    top = make(site, "A top group")
    make(site, "A deep group", make(site, "A middle group", top))
    page = staff.new_page()
    page.goto(f"{site.address}/console/settings/competence-groups")
    for above, below in (("A top group", "A middle group"), ("A middle group", "A deep group")):
        page.locator("summary", has_text=above).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("link", name=below, exact=True)).to_be_visible()
    if AXE.exists():
        require_accessible(look(page, "an open tree"))
    page.get_by_role("link", name="Add below A deep group").press("Enter")
    expect(page.get_by_role("checkbox", name="A deep group").first).to_be_checked()
    page.goto(f"{site.address}/console/settings/competence-groups/{top}")
    expect(page.get_by_role("region", name="Members").get_by_role("link", name="1 group below it")).to_be_visible()
    if AXE.exists():
        require_accessible(look(page, "a group"))
    page.close()


def test_a_level_is_moved_by_keyboard(staff: BrowserContext, site: Site) -> None:
    page = staff.new_page()
    page.goto(f"{site.address}/console/settings/organization")
    rows = page.locator("[id='advisorPriority'] summary")
    before = rows.all_inner_texts()
    rows.nth(1).press("Enter")
    page.get_by_role("button", name=f"Move up {before[1]}").press("Enter")
    expect(rows.first).to_have_text(before[1])
    rows.last.press("Enter")
    if AXE.exists():
        require_accessible(look(page, "an open level"))
    page.close()
