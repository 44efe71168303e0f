"""Example bodies of the API page; they work unchanged with the demo template."""

from typing import Any

Body = dict[str, Any]

TEMPLATE = "Annual review"
LOCATION = "/api/v3/present/templates/Annual%20review"
DATA: Body = {
    "customer": {"name": "Freja Søndergaard", "firstName": "Freja"},
    "advisor": {"name": "Karen Bek Lund"},
    "meeting": {
        "start": "2026-03-12T10:00:00+01:00",
        "end": "2026-03-12T11:00:00+01:00",
        "location": "Åboulevarden 21, Aarhus",
    },
    "review": {"year": 2026},
}

DECK: Body = {"template": TEMPLATE, "slides": [{"slideId": "Cover", "data": DATA}]}
WHOLE_DECK: Body = {"template": TEMPLATE, "data": DATA}
PDF: Body = {"slideLocation": LOCATION, "options": {"handoutMode": False, "notesPages": False}}
RECIPE: Body = {"name": "The review in short", "template": TEMPLATE, "slides": ["Cover", "Agenda"]}
LABELS: Body = {"labels": ["Private"]}

# The id of a stored file is not known beforehand: insert yours from the answer of POST /contents.
CONTENT = "00000000-0000-4000-8000-000000000000"
NEW_TEMPLATE: Body = {"contentId": CONTENT, "name": "My review", "category": "Private"}
FILE_TO_VALIDATE: Body = {"contentId": CONTENT}
