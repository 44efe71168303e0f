"""The audit log's page has words for every kind of change."""

from meetdeck.administration.audit_log.schemas import AuditedKind
from meetdeck.pages.console.audit_log.endpoints import KINDS


def test_every_kind_of_the_audit_log_has_words() -> None:
    assert {kind.value for kind in AuditedKind} == KINDS.keys()
