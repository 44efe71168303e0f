"""Portals, where customers book, and the fields that they fill in there (docs/api/portals.md)."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, field
from msgspec.structs import replace

from meetdeck.booking.localization.languages import LanguageQuery
from meetdeck.booking.localization.texts import (
    GivenListTranslations,
    GivenTranslations,
    ListTranslations,
    Translations,
)
from meetdeck.booking.texts import Line, Name, Text
from meetdeck.labels.schemas import Color, LabelMatch
from meetdeck.platform.values import AnyCase, NotEmpty, SinceV3

LONGEST_PATTERN = 1_000
LONGEST_ADDRESS = 63
ADDRESS_PATTERN = "^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$"
MOST_EMBED_HOSTS = 50


class AuthenticationType(AnyCase):
    """The way in which customers identify themselves."""

    IDENTITY_PROVIDER = "IdentityProvider"
    NATIONAL_ID = "NationalId"
    ANONYMOUS = "Anonymous"
    """Visitors do not sign in; an extension."""


class PageLanguage(AnyCase):
    """A language of the pages."""

    ENGLISH = "en"
    DANISH = "da"
    GERMAN = "de"


class FieldType(AnyCase):
    """The kind of value that is filled in."""

    TEXT = "Text"
    PHONE = "Phone"
    EMAIL = "Email"
    CHECKBOX = "Checkbox"
    DROPDOWN = "Dropdown"


class FieldValidation(msgspec.Struct, frozen=True):
    """The rule for an answer: whether it is required, and the pattern that it must match as a whole."""

    required: bool = False
    """True if an answer is required; a required checkbox must be ticked."""
    pattern: Annotated[str, Meta(max_length=LONGEST_PATTERN, description="RE2 syntax.")] | None = None


class PortalField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a portal; a meeting's `customFields` name it by its `name`."""

    id: UUID
    """The field's id; it stays with the field."""
    name: str
    """The name by which a meeting's `customFields` refer to it; unique in the portal."""
    label: str
    """The text that people see."""
    type: FieldType
    """The kind of value that is filled in."""
    placeholder: str
    """The text in the empty field."""
    hidden: bool
    """True if it is left out for customers; hidden fields may be answered, but need not be."""
    validation: FieldValidation
    """The rules that an answer must meet."""
    options: list[str] = []
    """The options of a Dropdown, in its order; empty: any line that the pattern accepts."""
    order: int = 0
    """Its position on pages: lower ones come first; an extension."""
    description: str = ""
    """The text below the field; an extension."""
    default_value: str = field(name="defaultValue", default="")
    """The initial value of the field; an extension."""
    localized_label: SinceV3[Translations] = field(name="localizedLabel", default=UNSET)
    """The label by language; an extension."""
    localized_placeholder: SinceV3[Translations] = field(name="localizedPlaceholder", default=UNSET)
    """The placeholder by language; an extension."""
    localized_description: SinceV3[Translations] = field(name="localizedDescription", default=UNSET)
    """The description by language; an extension."""
    localized_options: SinceV3[ListTranslations] = field(name="localizedOptions", default=UNSET)
    """The options by language, in the same order; an answer is always one of `options`; an extension."""

    @property
    def needs_answer(self) -> bool:
        """Return whether a meeting must have an answer: hidden fields never need one."""
        return self.validation.required and not self.hidden


class Portal(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A page on which customers book: its look, its questions, and its purpose."""

    id: UUID
    """The portal's id; it never changes."""
    name: str
    """The name, as customers see it."""
    location: str
    """The location of the portal's meetings, by name; empty: anywhere."""
    fields: list[PortalField]
    """The fields that customers fill in."""
    logo_url: str
    """The address of the logo, http or https; empty: none."""
    logo_height: int | None
    """The logo's height in pixels; null: its own."""
    styling: str
    """CSS, stored unchanged."""
    authentication_type: AuthenticationType
    """The way in which customers identify themselves."""
    customer_type_id: UUID | None
    """The customer type that it is for; null: all."""
    topic_id: UUID | None
    """The topic of its meetings; null: the customer chooses."""
    crm_mapping_configuration_id: UUID | None
    """For your CRM: stored, and returned."""
    ical_enabled: bool
    """True if customers get a calendar file."""
    labels: list[str]
    """The labels of the portal."""
    address: str | None
    """The name of its page, `/p/{address}`; null: the page is only at `/p/{id}`; an extension."""
    languages: list[PageLanguage]
    """The languages in which its page is offered; an extension."""
    embed_hosts: list[str]
    """The hosts whose pages may show it in a frame; empty: none; an extension."""
    brand_color: str | None
    """The color of its page, `#RRGGBB`; null: Meetdeck's; an extension."""
    confirm_email: bool = False
    """True if customers who do not sign in must confirm their e-mail address before they book; an extension."""
    localized_name: SinceV3[Translations] = UNSET
    """The name by language; an extension."""

    def without_hidden_fields(self) -> "Portal":
        """Return the portal without its hidden fields."""
        return replace(self, fields=[one for one in self.fields if not one.hidden])


class PortalQuery(LanguageQuery, frozen=True, rename="camel", kw_only=True):
    """GET of a portal."""

    include_hidden_fields: Annotated[bool, Meta(description="true: including hidden fields.")] = False


class PreviewStep(AnyCase):
    """A page of a portal that can be drawn before the portal is saved."""

    START = "Start"
    """The first page on which a customer chooses something."""
    DETAILS = "Details"
    """The form with the portal's fields, for an invented time."""


class PreviewQuery(msgspec.Struct, frozen=True, kw_only=True):
    """POST of a portal that is to be drawn."""

    step: Annotated[PreviewStep, Meta(description="The page to draw.")] = PreviewStep.START
    language: Annotated[PageLanguage | None, Meta(description="The language of the page, if the portal offers it.")] = (
        None
    )


class PortalPreview(msgspec.Struct, frozen=True):
    """A page of a portal as it would look: a document with its style sheets in it, in which nothing can be pressed."""

    html: str
    """The page."""
    policy: str
    """The Content-Security-Policy to show it under; nothing can run, and only the logo's host can be called."""


class PortalsQuery(PortalQuery, frozen=True, rename="camel", kw_only=True):
    """GET of the list: those with all of the labels, or with any."""

    labels: Annotated[
        list[str], NotEmpty, Meta(description="Only portals with these labels, in any case of their letters.")
    ] = field(default_factory=list)
    label_match: Annotated[LabelMatch, Meta(description="All of the labels, or any of them.")] = LabelMatch.ALL


class GivenField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a portal. An existing field keeps its id; new fields get one."""

    id: UUID | None = None
    """The existing id of the field; new fields get one."""
    name: Name
    """The name by which a meeting's `customFields` refer to it; unique in the portal."""
    label: Line = ""
    """The text that people see."""
    type: FieldType = FieldType.TEXT
    """The kind of value that is filled in."""
    placeholder: Line = ""
    """The text in the empty field."""
    hidden: bool = False
    """True if it is left out for customers; hidden fields may be answered, but need not be."""
    validation: FieldValidation = FieldValidation()
    """The rules that an answer must meet."""
    options: Annotated[list[Name], Meta(max_length=1_000)] = []
    """The options of a Dropdown, in its order, each once; empty: any line that the pattern accepts."""
    order: Annotated[int, Meta(ge=-(2**31), lt=2**31)] = 0
    """Its position on pages: lower ones come first; an extension."""
    description: Text = ""
    """The text below the field; an extension."""
    default_value: Text = field(name="defaultValue", default="")
    """The initial value of the field, which must be a valid answer; an extension."""
    localized_label: SinceV3[GivenTranslations] = field(name="localizedLabel", default=UNSET)
    """The label by language; an extension."""
    localized_placeholder: SinceV3[GivenTranslations] = field(name="localizedPlaceholder", default=UNSET)
    """The placeholder by language; an extension."""
    localized_description: SinceV3[GivenTranslations] = field(name="localizedDescription", default=UNSET)
    """The description by language; an extension."""
    localized_options: SinceV3[GivenListTranslations] = field(name="localizedOptions", default=UNSET)
    """The options by language, as many as `options`, in the same order; an extension."""


class PortalContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The body of a portal."""

    name: Name
    """The name, as customers see it."""
    location: Line = ""
    """The location of the portal's meetings, by name; empty: anywhere."""
    fields: Annotated[list[GivenField], Meta(max_length=200)] = []
    """The fields that customers fill in."""
    logo_url: Annotated[
        str, Meta(max_length=2_000, description="https, or in the test environment http; or empty.")
    ] = ""
    logo_height: Annotated[int, Meta(ge=1, le=2_000, description="In pixels.")] | None = None
    styling: Annotated[
        str,
        Meta(
            max_length=100_000,
            description="CSS, stored unchanged: without imports, and with addresses only on the logo's host.",
        ),
    ] = ""
    authentication_type: AuthenticationType = AuthenticationType.IDENTITY_PROVIDER
    """The way in which customers identify themselves."""
    customer_type_id: UUID | None = None
    """The customer type that it is for; null: all."""
    topic_id: UUID | None = None
    """The topic of its meetings; null: the customer chooses."""
    crm_mapping_configuration_id: UUID | None = None
    """For your CRM: stored, and returned."""
    ical_enabled: bool = True
    """True if customers get a calendar file."""
    labels: list[str] = []
    """The labels of the portal; new ones are registered."""
    address: (
        Annotated[
            str,
            Meta(
                description="Lower-case letters, digits and, between them, hyphens; not the form of a UUID. No other "
                "portal of the installation has it.",
                extra_json_schema={"pattern": ADDRESS_PATTERN, "minLength": 1, "maxLength": LONGEST_ADDRESS},
                examples=["nordlys"],
            ),
        ]
        | None
    ) = None
    """The name of its page, `/p/{address}`; null: the page is only at `/p/{id}`; an extension."""
    languages: Annotated[list[PageLanguage], Meta(min_length=1, max_length=50)] = field(
        default_factory=lambda: [PageLanguage.ENGLISH, PageLanguage.DANISH]
    )
    """The languages in which its page is offered; by default all; an extension."""
    embed_hosts: Annotated[
        list[str],
        Meta(
            max_length=MOST_EMBED_HOSTS,
            description="Each `host` or `host:port`, without scheme, path or wildcard.",
            examples=[["www.nordlys.example"]],
        ),
    ] = []
    """The hosts whose pages may show it in a frame, each once; empty: none; an extension."""
    brand_color: Color | None = None
    """The color of its page, in which text on white must be readable; null: Meetdeck's; an extension."""
    confirm_email: bool = False
    """True if a customer who does not sign in confirms the e-mail address before the meeting is booked; the time is
    held meanwhile. It has no effect where customers sign in; an extension."""
    localized_name: SinceV3[GivenTranslations] = UNSET
    """The name by language; an extension."""
