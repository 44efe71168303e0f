"""The rules that exclude an employee, in sentences (docs/api.md#candidates, #service-triggers, #routing)."""

from collections.abc import Iterator, Sequence

from meetdeck.booking.employee_types import EmployeeType
from meetdeck.booking.scheduling.explanations.schemas import ExplainQuery, Reason
from meetdeck.booking.scheduling.explanations.store import EmployeeFacts, Trigger
from meetdeck.booking.scheduling.search.schemas import Exclusion
from meetdeck.booking.scheduling.search.service.candidates import Considerations
from meetdeck.booking.scheduling.search.service.searching import SearchInput
from meetdeck.booking.scheduling.search.service.terms import GroupRules, Memberships
from meetdeck.booking.scheduling.search.store import TopicRules
from meetdeck.booking.slots.model import MEETING_TYPES, MeetingType, Query


def list_reasons(
    params: ExplainQuery,
    found: SearchInput,
    facts: EmployeeFacts,
    triggers: Sequence[Trigger],
) -> list[Reason]:
    """Return every rule that excludes the employee from the search."""
    reasons = [*_check_employee(params, found.query, facts)]
    if found.topic is not None:
        reasons += [Reason(each, _describe_exclusion(each, found.topic, facts)) for each in found.exclusions]
    reasons += _check_competence(facts)
    if found.labelled is not None and params.employee_id not in found.labelled:
        detail = f"The groups of {facts.name} do not carry all of the labels {_quote_all(params.labels)}."
        return [*reasons, Reason(Exclusion.LABELS, detail)]
    return [*reasons, *_check_kind(params, facts, found.memberships, triggers)]


def _check_employee(params: ExplainQuery, query: Query, facts: EmployeeFacts) -> Iterator[Reason]:
    is_named = params.employee_id in query.named
    if not facts.active:
        yield Reason(Exclusion.INACTIVE, f"{facts.name} is not active.")
    if not facts.has_schedule:
        yield Reason(Exclusion.NO_SCHEDULE, f"{facts.name} has no schedule.")
    elif not facts.can_be_booked:
        yield Reason(Exclusion.NOT_BOOKABLE, f"The schedule of {facts.name} says that they cannot be booked.")
    if facts.is_only_when_named and not is_named:
        yield Reason(
            Exclusion.ONLY_WHEN_NAMED,
            f"{facts.name} is only explicitly available: offered when explicitEmployeeIds names them.",
        )
    if query.require_all and not is_named:
        yield Reason(
            Exclusion.NOT_NAMED,
            f"Everybody in explicitEmployeeIds has to take part, and {facts.name} is not among them.",
        )


def _describe_exclusion(exclusion: Exclusion, topic: TopicRules, facts: EmployeeFacts) -> str:
    """Return the sentence for a topic that allows no slot of the search."""
    if exclusion is Exclusion.TOPIC_CUSTOMER_TYPE:
        return f"“{facts.topic}” is for {join_names(facts.customer_types_of_topic)}, not for {facts.customer_type}."
    if exclusion is Exclusion.TOPIC_MEETING_TYPE:
        offered = join_names([each for each in MEETING_TYPES if each in topic.meeting_types])
        return f"Meetings about “{facts.topic}” are {offered}, not what meetingTypes asks for."
    if exclusion is Exclusion.TOPIC_NOT_FOR_CUSTOMERS:
        return f"Customers cannot book “{facts.topic}”: its customerBookable is false."
    return f"Meetings about “{facts.topic}” that customers book last {topic.duration_minutes} minutes."


def _check_competence(facts: EmployeeFacts) -> Iterator[Reason]:
    if not facts.serves_customer_type:
        yield Reason(
            Exclusion.CUSTOMER_TYPE,
            f"{facts.name} is for {join_names(facts.customer_types)}, not for {facts.customer_type}.",
        )
    if not facts.serves_topic:
        subject = " for ".join(f"“{each}”" for each in (facts.topic, facts.customer_type) if each)
        naming = f" Groups that name “{facts.topic}”: {_quote_all(facts.groups_of_topic)}." if facts.topic else ""
        above = f", below {_quote_all(facts.groups_above)}" if facts.groups_above else ""
        yield Reason(
            Exclusion.TOPIC,
            f"No competence group of {facts.name} serves {subject}. Groups of {facts.name}:"
            f" {_quote_all(facts.own_groups)}{above}.{naming}",
        )


def _check_kind(
    params: ExplainQuery, facts: EmployeeFacts, memberships: Memberships, triggers: Sequence[Trigger]
) -> Iterator[Reason]:
    """Yield the reason when the `employeeTypes` asked for, or service groups' triggers, exclude the employee."""
    consideration = Considerations(params, ()).find(params.employee_id, facts.locations)
    if memberships.list_terms(params.employee_id, consideration):
        return
    offering = memberships.list_offering(params.employee_id)
    considers_offered = (
        consideration.is_anybody or consideration.by_service_group or consideration.local_place is not None
    )
    fitting = [group for group in offering if group.is_fitting]
    if considers_offered and fitting:
        yield Reason(
            Exclusion.SERVICE_LEVEL,
            f"The service levels of those that offer {facts.name} leave no meeting: {describe_levels(fitting)}.",
        )
    elif considers_offered and offering:
        yield Reason(
            Exclusion.SERVICE_TRIGGER,
            f"No service group offers {facts.name} in this search: {describe_triggers(triggers)}.",
        )
    elif params.employee_types is None:
        yield Reason(
            Exclusion.EMPLOYEE_TYPES,
            f"Without employeeTypes, those in explicitEmployeeIds alone are offered; {facts.name} is not among them.",
        )
    else:
        kinds = join_names([_describe_kind(kind, params) for kind in dict.fromkeys(params.employee_types)])
        yield Reason(Exclusion.EMPLOYEE_TYPES, f"employeeTypes asks for {kinds}, and {facts.name} is none of these.")


def describe_triggers(triggers: Sequence[Trigger]) -> str:
    """Return the searches of service groups: `“VIP” is for the location Skagen; “All” is for every search`."""
    return "; ".join(map(_describe_trigger, triggers))


def describe_levels(groups: Sequence[GroupRules]) -> str:
    """Return the meetings that service levels leave: `“VIP” offers Online and Physical meetings (at Skagen)`."""
    return "; ".join(map(_describe_level, groups))


def _describe_level(group: GroupRules) -> str:
    left = [each for each in MEETING_TYPES if each in group.level_types]
    places = sorted(group.physical_places or ())
    at = f" (Physical ones at {join_names(places)})" if places and MeetingType.PHYSICAL in left else ""
    let_through = [each for each in MEETING_TYPES if each in group.meeting_types]
    contradicts = left and not group.meeting_types & group.level_types
    trigger = f" is for {join_names(let_through)} meetings, and its level" if contradicts else ""
    return f"“{group.name}”{trigger} offers {join_names(left) if left else 'no'} meetings{at}"


def _describe_trigger(trigger: Trigger) -> str:
    conditions = {
        "customer type": trigger.customer_types,
        "topic": trigger.topics,
        "meeting type": trigger.meeting_types,
        "location": trigger.locations,
    }
    parts = [
        f"the {kind}{'s' if len(names) > 1 else ''} {join_names(names)}" for kind, names in conditions.items() if names
    ]
    return f"“{trigger.name}” is for {join_names(parts or ['every search'])}"


def _describe_kind(kind: EmployeeType, params: ExplainQuery) -> str:
    match kind:
        case EmployeeType.EXPLICIT:
            meaning = "in explicitEmployeeIds"
        case EmployeeType.LOCAL if params.customer_location:
            meaning = f"working at {params.customer_location}"
        case EmployeeType.LOCAL:
            meaning = "working at customerLocation, which is not given"
        case EmployeeType.SERVICE_GROUP:
            meaning = "in a service group"
    return f"{kind.value} ({meaning})"


def join_names(names: Sequence[str]) -> str:
    """Return names as an enumeration: `Physical, Online and Telephone`; `none` of none."""
    *most, last = names or ["none"]
    return f"{', '.join(most)} and {last}" if most else last


def _quote_all(names: Sequence[str]) -> str:
    return join_names([f"“{each}”" for each in names])
