"""A call as its handler sees it."""

from meetdeck.platform.http.calls.call import (
    OWN_EVENTS,
    Call,
    CurrentCall,
    SavedResource,
    audits,
    find_version,
    observes,
    provide_call,
)
from meetdeck.platform.http.calls.documentation import answers, documents
from meetdeck.platform.http.calls.services import RequestServices, Service, get_services, make_state, provide_services

__all__ = [
    "OWN_EVENTS",
    "Call",
    "CurrentCall",
    "RequestServices",
    "SavedResource",
    "Service",
    "answers",
    "audits",
    "documents",
    "find_version",
    "get_services",
    "make_state",
    "observes",
    "provide_call",
    "provide_services",
]
