"""The words of a meeting's questions on its page."""

import msgspec

from meetdeck.pages.console.calendar.questions import Question

ASKED = b'{"name": "subject", "label": "What matters?", "localizedLabel": {"da-DK": "Hvad er vigtigst?"}}'


def test_a_question_is_in_the_pages_language_where_it_has_words_in_it() -> None:
    question = msgspec.json.decode(ASKED, type=Question)
    assert [question.speak(language).label for language in ("da", "de")] == ["Hvad er vigtigst?", "What matters?"]
