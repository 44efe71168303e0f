"""The Danish texts of the demo firms: topics and portals as Danish customers see them."""

from datetime import datetime
from typing import Any, Final, cast

import msgspec

from meetdeck.booking.configuration.organization_settings import service as organization
from meetdeck.booking.configuration.portals.service import portals
from meetdeck.booking.directory.meeting_topics.service import TOPICS
from meetdeck.booking.localization.texts import list_pairs
from meetdeck.demo.firm import Firm
from meetdeck.platform.database import Connection
from meetdeck.platform.values.patching import JsonPatch
from meetdeck.platform.values.patching.operations import AddOperation

LOCALE: Final = "da-DK"
_WORDS: Final = {
    "Annual review": "Årsgennemgang",
    "Where you stand, and what to do next.": "Hvordan det går, og hvad der er det næste skridt.",
    "Buying a home": "Boligkøb",
    "Budget, loan and insurance for a new home.": "Budget, lån og forsikring til din nye bolig.",
    "Pension check": "Pensionstjek",
    "Whether you save enough, and in the right place.": "Om du sparer nok op, og om det står det rigtige sted.",
    "Your pension in plain words.": "Din pension forklaret, så den er til at forstå.",
    "Investing": "Investering",
    "Risk, return and a plan that lasts.": "Risiko, afkast og en plan, der holder.",
    "Starting a business": "Start af virksomhed",
    "Accounts, insurance and the first loan.": "Konti, forsikring og det første lån.",
    "Retirement": "Livet som pensionist",
    "When, how and how much.": "Hvornår, hvordan og hvor meget.",
    "Phone": "Telefon",
    "What matters most to you?": "Hvad er vigtigst for dig?",
    "My savings": "Min opsparing",
    "My home": "Min bolig",
    "My pension": "Min pension",
    "My business": "Min virksomhed",
    "Something else": "Noget andet",
    "What should we know beforehand?": "Hvad skal vi vide på forhånd?",
    "We read it before we meet, so that you need not explain it twice.": "Vi læser det inden mødet, så du ikke skal "
    "forklare det to gange.",
    "I need step-free access": "Jeg har brug for niveaufri adgang",
    "When would you like to retire?": "Hvornår vil du gerne på pension?",
    "Within a year": "Inden for et år",
    "In 1 to 5 years": "Om 1 til 5 år",
    "Later": "Senere",
    "I do not know yet": "Det ved jeg ikke endnu",
    "My partner comes along": "Min partner kommer med",
}


async def add_danish(connection: Connection, firm: Firm, now: datetime) -> None:
    """Enable Danish beside a firm's main language, and add Danish texts to its topics and its portal."""
    setting = await organization.get_setting(connection)
    if LOCALE not in setting.enabled_locales:
        setting = await organization.get_setting_by_id(connection, setting.id, for_update=True)
        await organization.update_setting(connection, setting, [AddOperation("/enabledLocales/-", LOCALE)])
    for name, _, _ in firm.topics:
        topic = await TOPICS.get(connection, firm.id_of("topic", name), for_update=True)
        await TOPICS.update(connection, topic, _translate(topic))
    portal = await portals.get_whole_portal(connection, firm.id_of("portal", firm.name), for_update=True)
    patch = [one for place, field in enumerate(portal.fields) for one in _translate(field, f"/fields/{place}")]
    await portals.update_portal(connection, portal, patch, now)


def _translate(resource: msgspec.Struct, at: str = "") -> JsonPatch:
    """Return the patch that adds Danish texts to a resource."""
    texts = {pair.localized_name: _find_words(getattr(resource, pair.plain)) for pair in list_pairs(type(resource))}
    return [AddOperation(f"{at}/{name}/{LOCALE}", text) for name, text in texts.items() if text]


def _find_words(text: Any) -> Any:  # noqa: ANN401 - a text, or a list of texts
    """Return a text, or each text of a list, in Danish; empty for texts without a translation."""
    if isinstance(text, list):
        texts = cast("list[str]", text)
        return [_WORDS[one] for one in texts] if all(one in _WORDS for one in texts) else []
    return _WORDS.get(text, "")
