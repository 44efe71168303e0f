"""The fields of a portal's form, and the settings of each field that customers fill in."""

from typing import Final

from meetdeck.pages.console.forms import Field
from meetdeck.pages.texts import mark

_ASKED: Final = (
    Field("label", mark("Label"), hint=mark("As customers see it."), localized="localizedLabel"),
    Field("name", mark("Name in your systems"), hint=mark("The answer's name in meetings."), is_required=True),
    Field("type", mark("Kind"), "one", source="field-types", empty="Text"),
    Field(
        "options",
        mark("Choices"),
        "lines",
        mark("Of a list to choose from: one on each line."),
        localized="localizedOptions",
    ),
    Field("description", mark("Help below it"), localized="localizedDescription"),
    Field("placeholder", mark("Text in the empty field"), localized="localizedPlaceholder"),
    Field("defaultValue", mark("Filled in with")),
    Field("validation/required", mark("Must be answered"), "tick"),
    Field(
        "validation/pattern",
        mark("Pattern of answers"),
        hint=mark("RE2 syntax. Leave empty to accept any answer."),
        empty=None,
    ),
    Field("hidden", mark("Hidden from customers"), "tick", mark("It is filled in by the page's address.")),
    Field("id", "", "hidden", empty=None),
    Field("order", "", "hidden", empty=0),
)

PORTAL_FIELDS: Final = (
    Field("name", mark("Name"), hint=mark("As customers see it."), is_required=True, localized="localizedName"),
    Field(
        "address",
        mark("Address"),
        hint=mark("The end of the page's address, such as nordlys-aarhus: lower-case letters, digits and hyphens."),
        empty=None,
    ),
    Field(
        "authenticationType",
        mark("Who may book"),
        "one",
        source="authentications",
        is_required=True,
        section=mark("Booking"),
    ),
    Field(
        "confirmEmail",
        mark("Customers confirm their e-mail address"),
        "tick",
        mark("A meeting is booked when the customer confirms a link in an e-mail. Only for portals without sign-in."),
    ),
    Field("languages", mark("Languages"), "several", source="page-languages"),
    Field("topicId", mark("Meeting topic"), "one", mark("Leave empty to let customers choose."), "topics", empty=None),
    Field("customerTypeId", mark("Customer type"), "one", mark("Leave empty for all."), "customer-types", empty=None),
    Field("location", mark("Location"), "one", mark("Leave empty for all."), "locations"),
    Field(
        "fields",
        mark("What customers are asked"),
        "rows",
        mark("Beside their name and e-mail address."),
        columns=_ASKED,
        order="order",
        more=mark("Add a field"),
        section=mark("Questions"),
    ),
    Field(
        "brandColor",
        mark("Color"),
        hint=mark("The page's colors are based on it: #12355B."),
        empty=None,
        section=mark("Look"),
    ),
    Field("logoUrl", mark("Address of the logo"), "url", mark("It begins with https://.")),
    Field(
        "logoHeight",
        mark("Height of the logo in pixels"),
        "number",
        mark("Leave empty for the logo's own height."),
        empty=None,
    ),
    Field(
        "styling",
        mark("Styles (CSS)"),
        "code",
        mark("They are added last on the page. Images must come from the logo's host."),
    ),
    Field("icalEnabled", mark("Customers are offered a calendar file"), "tick"),
    Field(
        "embedHosts",
        mark("Sites that may show it in a frame"),
        "lines",
        mark("One per line, such as www.nordlys.example. Leave empty if it is only a page of its own."),
        section=mark("Where it is shown"),
    ),
    Field("labels", mark("Labels"), "lines", mark("One on each line.")),
)
