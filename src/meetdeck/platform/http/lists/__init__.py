"""Long lists, whole or by page, as JSON or CSV."""

from meetdeck.platform.http.lists.answering import ANSWERS_TOTAL, answer_list, answer_page, answer_part, answer_stream
from meetdeck.platform.http.lists.csv_answers import answer_csv, wants_csv

__all__ = [
    "ANSWERS_TOTAL",
    "answer_csv",
    "answer_list",
    "answer_page",
    "answer_part",
    "answer_stream",
    "wants_csv",
]
