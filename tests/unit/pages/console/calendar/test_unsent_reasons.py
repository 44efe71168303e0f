"""The reasons of unsent messages on a page: each that the sources can write is said in every language."""

import re
from pathlib import Path

import pytest

import meetdeck.messages
from meetdeck.messages.meeting_messages.service.attempts import describe_end
from meetdeck.messages.writing.kinds import MessageKind
from meetdeck.pages.console.calendar.unsent_reasons import translate_reason
from meetdeck.pages.texts import LANGUAGES, get_texts

ROOT = Path(meetdeck.messages.__file__).parent
NOT_ABOUT_MEETINGS = {"confirmations.py", "offers.py"}
"""Mails about times that are held: no meeting's history has them."""
WRITTEN = re.compile(
    r'(?:Drop|MessageRefused|MessageDeferred|MessageUnanswered)\(\s*f?"([^"]+)"|^ +return "([a-z][^"]+ [^"]+)"'
    r'|^ +(?:lost|meanwhile) = f?"([^"]+)"|^_UNUSABLE.*= "([^"]+)"|else "(the recipient[^"]+)"',
    re.MULTILINE,
)


def list_reasons() -> list[str]:
    """Return the reasons in the sources, with some value for each of their names."""
    found: set[str] = set()
    for path in [*ROOT.glob("*/service/*.py"), *ROOT.glob("carriers/*.py"), ROOT / "writing/mail.py"]:
        if path.name not in NOT_ABOUT_MEETINGS and "documents" not in path.parent.parent.name:
            for groups in WRITTEN.findall(path.read_text(encoding="utf-8")):
                found |= {re.sub(r"\{_PERHAPS\}", "perhaps it was sent", text) for text in groups if text}
    return sorted(re.sub(r"\{[^}]*\}", "550 5.1.1", text) for text in found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_the_sources_is_said(language: str) -> None:
    texts, reasons = get_texts(language), list_reasons()
    assert len(reasons) > 15, reasons
    for reason in reasons:
        for is_perhaps_sent in (False, True):
            english = describe_end("A reminder by mail", reason, is_perhaps_sent=is_perhaps_sent)
            said = translate_reason(texts, english)
            assert said, english
            assert (said == english) == (language == "en"), said


def test_what_was_not_sent_is_said() -> None:
    danish = get_texts("da")
    for kind in ("invitation", "message of the change", "cancellation"):
        for who in ("an employee", "an attendee"):
            english = describe_end(f"The {kind} to {who}", "the meeting is over", is_perhaps_sent=False)
            assert translate_reason(danish, english).endswith("mødet er slut.")
    assert {one.value for one in MessageKind} == {"Invitation", "Change", "Cancellation"}, "another kind needs words"


def test_other_words_are_not_shown() -> None:
    assert translate_reason(get_texts("da"), "Something else happened.") == ""
    assert translate_reason(get_texts("da"), "A reminder by mail was not sent: nobody knows.") == ""
