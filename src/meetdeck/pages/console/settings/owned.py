"""The members of a resource that the firm's directory owns: shown as text, because they are changed there."""

from meetdeck.pages.console.forms import EMPLOYEES, Record, Subject, forms, load_choices
from meetdeck.pages.console.kit import ConsolePage


async def show_owned(page: ConsolePage, subject: Subject, opened: Record | None) -> list[tuple[str, str]]:
    """Return label and value of each field that is only shown; of many employees some are named."""
    if opened is None or not subject.only_shown:
        return []
    named = [
        key
        for field in subject.only_shown
        if field.kind == "several"
        for key in field.write(field.find(opened.resource))[: forms.MOST_CHOSEN]
    ]
    choices = await load_choices(page.api, page.texts, {one.source for one in subject.only_shown}, {EMPLOYEES: named})
    shown: list[tuple[str, str]] = []
    for field in subject.only_shown:
        value = field.find(opened.resource)
        if field.kind == "tick":
            text = page.texts.translate("Yes") if value else page.texts.translate("No")
        elif field.kind == "several":
            text = field.show(value[: forms.MOST_CHOSEN], choices.get(field.source, []), page.texts)
            more = len(value) - forms.MOST_CHOSEN
            if more > 0:
                text += " " + page.texts.translate_plural("and {number} more", "and {number} more", more)
        else:
            text = field.show(value, choices.get(field.source, []), page.texts)
        shown.append((page.texts.translate(field.label), text or page.texts.translate("none")))
    return shown
