"""The reason that a message about a meeting was not sent, in the language of a page.

A meeting's history keeps the sentence in English, as it was when the message was given up. Its words are few, so the
page takes the sentence apart and says the parts in its own language; what has other words is not shown.
"""

import re
from functools import cache
from typing import Final

from meetdeck.pages.texts import Texts, mark

_SENTENCES: Final = (
    mark("{what} was perhaps sent: its delivery was not confirmed. It was not sent again: {reason}."),
    mark("{what} was not sent: {reason}."),
)
_MESSAGES: Final = (
    mark("The invitation to an employee"),
    mark("The invitation to an attendee"),
    mark("The message of the change to an employee"),
    mark("The message of the change to an attendee"),
    mark("The cancellation to an employee"),
    mark("The cancellation to an attendee"),
    mark("A reminder by mail"),
    mark("A reminder by text message"),
    mark("The mail that confirms a new e-mail address"),
    mark("The mail about the documents"),
)
_REASONS: Final = (
    mark("the meeting is over"),
    mark("the meeting had begun"),
    mark("the meeting was moved meanwhile"),
    mark("the meeting was cancelled meanwhile"),
    mark("the recipient no longer takes part"),
    mark("the recipient takes part again"),
    mark("the recipient has already been notified"),
    mark("the recipient was never notified of the meeting"),
    mark("a later change took its place"),
    mark("the change can no longer be confirmed"),
    mark("the advisor has no e-mail address"),
    mark("the advisor has already been notified"),
    mark("there is nothing left to announce"),
    mark("mail cannot be sent to the address"),
    mark("text messages are no longer set up"),
    mark("the answer to the portal's field is not a telephone number"),
    mark("the gateway of text messages did not accept it"),
    mark("the gateway of text messages did not acknowledge it: perhaps it was sent"),
    mark("the mail server cannot be reached ({detail})"),
    mark("the mail server did not accept it ({detail})"),
    mark("the mail server rejected it permanently ({detail})"),
    mark("the mail server's answer makes no sense ({detail}): perhaps it was sent"),
    mark("the mail server did not acknowledge the mail ({detail}): perhaps it was sent"),
)

_EARLIER_WORDS: Final = {
    "does not take part any more": "no longer takes part",
    "the recipient was told already": "the recipient has already been notified",
    "the recipient was told nothing before": "the recipient was never notified of the meeting",
    "the change cannot be confirmed any more": "the change can no longer be confirmed",
    "the advisor was told already": "the advisor has already been notified",
    "there is nothing to tell any more": "there is nothing left to announce",
    "the address is not one that mail can be sent to": "mail cannot be sent to the address",
    "text messages are not set up any more": "text messages are no longer set up",
    "field is no telephone number": "field is not a telephone number",
    "did not take it": "did not accept it",
    "refused it for good": "rejected it permanently",
}
"""The words of sentences that version 1.0 stored."""


def translate_reason(texts: Texts, sentence: str) -> str:
    """Return the history's sentence in the page's language, empty for one of other words."""
    for earlier, words in _EARLIER_WORDS.items():
        sentence = sentence.replace(earlier, words)
    for template in _SENTENCES:
        found = _read(template).fullmatch(sentence)
        if found is not None:
            what, reason = _translate(texts, _MESSAGES, found["what"]), _translate(texts, _REASONS, found["reason"])
            return texts.translate(template, what=what, reason=reason) if what and reason else ""
    return ""


def _translate(texts: Texts, templates: tuple[str, ...], text: str) -> str:
    for template in templates:
        found = _read(template).fullmatch(text)
        if found is not None:
            return texts.translate(template, **found.groupdict())
    return ""


@cache
def _read(template: str) -> re.Pattern[str]:
    """Return the pattern of a template, with a group for each of its values."""
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(template)))
