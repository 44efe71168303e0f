"""A call as its handler sees it."""

from meetdeck.platform.http.calls.call import (
    OWN_EVENTS,
    Call,
    CurrentCall,
    SavedResource,
    audits,
    observes,
    provide_call,
)
from meetdeck.platform.http.calls.callers import find_caller, note_caller, read_headers
from meetdeck.platform.http.calls.direct import call_directly
from meetdeck.platform.http.calls.documentation import answers, documents
from meetdeck.platform.http.calls.handling import (
    find_version,
    handle_unknown_parameters,
    list_handling,
    note_deprecated,
    note_deprecations,
    wants_strict,
)
from meetdeck.platform.http.calls.services import (
    RequestServices,
    Service,
    get_request_id,
    get_services,
    make_state,
    note_request_id,
    provide_services,
)

__all__ = [
    "OWN_EVENTS",
    "Call",
    "CurrentCall",
    "RequestServices",
    "SavedResource",
    "Service",
    "answers",
    "audits",
    "call_directly",
    "documents",
    "find_caller",
    "find_version",
    "get_request_id",
    "get_services",
    "handle_unknown_parameters",
    "list_handling",
    "make_state",
    "note_caller",
    "note_deprecated",
    "note_deprecations",
    "note_request_id",
    "observes",
    "provide_call",
    "provide_services",
    "read_headers",
    "wants_strict",
]
