"""The rules that exclude an employee, in sentences (docs/api/advisors.md, docs/api/groups.md#service-triggers)."""

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
from meetdeck.platform.phrases import join, mark, phrase


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
        detail = phrase(
            "The groups of {name} do not carry all of the labels {groups}.",
            name=facts.name,
            groups=_quote_all(params.labels),
        )
        return [*reasons, Reason(Exclusion.LABELS, detail)]
    return [*reasons, *_check_kind(params, facts, found.memberships, triggers)]


def _check_employee(params: ExplainQuery, query: Query, facts: EmployeeFacts) -> Iterator[Reason]:
    is_named = params.employee_id in query.named
    if not facts.active:
        yield Reason(Exclusion.INACTIVE, phrase("{name} is not active.", name=facts.name))
    if not facts.has_schedule:
        yield Reason(Exclusion.NO_SCHEDULE, phrase("{name} has no schedule.", name=facts.name))
    elif not facts.can_be_booked:
        yield Reason(Exclusion.NOT_BOOKABLE, phrase("The schedule of {name} does not allow bookings.", name=facts.name))
    if facts.is_only_when_named and not is_named:
        yield Reason(
            Exclusion.ONLY_WHEN_NAMED,
            phrase(
                "{name} is only explicitly available: offered when explicitEmployeeIds names them.", name=facts.name
            ),
        )
    if query.require_all and not is_named:
        yield Reason(
            Exclusion.NOT_NAMED,
            phrase("Everybody in explicitEmployeeIds has to take part, and {name} is not among them.", name=facts.name),
        )


def _describe_exclusion(exclusion: Exclusion, topic: TopicRules, facts: EmployeeFacts) -> str:
    """Return the sentence for a topic that allows no slot of the search."""
    if exclusion is Exclusion.TOPIC_CUSTOMER_TYPE:
        return phrase(
            "“{topic}” is for {names}, not for {customer_type}.",
            topic=facts.topic,
            names=join_names(facts.customer_types_of_topic),
            customer_type=facts.customer_type,
        )
    if exclusion is Exclusion.TOPIC_MEETING_TYPE:
        offered = join_names([each for each in MEETING_TYPES if each in topic.meeting_types])
        return phrase(
            "Meetings about “{topic}” are {offered}, and meetingTypes requests others.",
            topic=facts.topic,
            offered=offered,
        )
    if exclusion is Exclusion.TOPIC_NOT_FOR_CUSTOMERS:
        return phrase("Customers cannot book “{topic}”: its customerBookable is false.", topic=facts.topic)
    return phrase(
        "Meetings about “{topic}” that customers book last {duration_minutes} minutes.",
        topic=facts.topic,
        duration_minutes=topic.duration_minutes,
    )


def _check_competence(facts: EmployeeFacts) -> Iterator[Reason]:
    if not facts.serves_customer_type:
        yield Reason(
            Exclusion.CUSTOMER_TYPE,
            phrase(
                "{name} is for {names}, not for {customer_type}.",
                name=facts.name,
                names=join_names(facts.customer_types),
                customer_type=facts.customer_type,
            ),
        )
    if not facts.serves_topic:
        subject = _join_subject([f"“{each}”" for each in (facts.topic, facts.customer_type) if each])
        naming = (
            phrase(
                " Groups that name “{topic}”: {groups}.", topic=facts.topic, groups=_quote_all(facts.groups_of_topic)
            )
            if facts.topic
            else ""
        )
        above = phrase(", below {groups}", groups=_quote_all(facts.groups_above)) if facts.groups_above else ""
        yield Reason(
            Exclusion.TOPIC,
            phrase(
                "No competence group of {name} serves {subject}. Groups of {name}: {groups}{above}.{naming}",
                name=facts.name,
                subject=subject,
                groups=_quote_all(facts.own_groups),
                above=above,
                naming=naming,
            ),
        )


def _join_subject(parts: Sequence[str]) -> str:
    """Return a topic, a customer type, or both: `“Pension” for “Business”`."""
    return (
        phrase("{topic} for {customer_type}", topic=parts[0], customer_type=parts[1]) if parts[1:] else "".join(parts)
    )


def _check_kind(
    params: ExplainQuery, facts: EmployeeFacts, memberships: Memberships, triggers: Sequence[Trigger]
) -> Iterator[Reason]:
    """Yield the reason if the requested `employeeTypes`, or service groups' triggers, exclude the employee."""
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
            phrase(
                "The service levels of those that offer {name} leave no meeting: {levels}.",
                name=facts.name,
                levels=describe_levels(fitting),
            ),
        )
    elif considers_offered and offering:
        yield Reason(
            Exclusion.SERVICE_TRIGGER,
            phrase(
                "No service group offers {name} in this search: {triggers}.",
                name=facts.name,
                triggers=describe_triggers(triggers),
            ),
        )
    elif params.employee_types is None:
        yield Reason(
            Exclusion.EMPLOYEE_TYPES,
            phrase(
                "Without employeeTypes, those in explicitEmployeeIds alone are offered; {name} is not among them.",
                name=facts.name,
            ),
        )
    else:
        kinds = join_names([_describe_kind(kind, params) for kind in dict.fromkeys(params.employee_types)])
        yield Reason(
            Exclusion.EMPLOYEE_TYPES,
            phrase("employeeTypes requests {kinds}, and {name} is none of these.", kinds=kinds, name=facts.name),
        )


def describe_triggers(triggers: Sequence[Trigger]) -> str:
    """Return the searches of service groups: `“VIP” is for the location Skagen; “All” is for every search`."""
    return join([*map(_describe_trigger, triggers)], "; ")


def describe_levels(groups: Sequence[GroupRules]) -> str:
    """Return the meetings that service levels allow: `“VIP” offers Online and Physical meetings (at Skagen)`."""
    return join([*map(_describe_level, groups)], "; ")


def _describe_level(group: GroupRules) -> str:
    left = [each for each in MEETING_TYPES if each in group.level_types]
    places = sorted(group.physical_places or ())
    at = (
        phrase(" (Physical ones at {names})", names=join_names(places))
        if places and MeetingType.PHYSICAL in left
        else ""
    )
    let_through = [each for each in MEETING_TYPES if each in group.meeting_types]
    contradicts = left and not group.meeting_types & group.level_types
    if not left:
        return phrase("“{name}” offers no meetings", name=group.name)
    if contradicts:
        return phrase(
            "“{name}” is for {wanted} meetings, and its level offers {types} meetings{at}",
            name=group.name,
            wanted=join_names(let_through),
            types=join_names(left),
            at=at,
        )
    return phrase("“{name}” offers {types} meetings{at}", name=group.name, types=join_names(left), at=at)


def _describe_trigger(trigger: Trigger) -> str:
    conditions = (
        (trigger.customer_types, mark("the customer type {names}"), mark("the customer types {names}")),
        (trigger.topics, mark("the topic {names}"), mark("the topics {names}")),
        (trigger.meeting_types, mark("the meeting type {names}"), mark("the meeting types {names}")),
        (trigger.locations, mark("the location {names}"), mark("the locations {names}")),
    )
    parts = [
        phrase(many if len(names) > 1 else one, names=join_names(names)) for names, one, many in conditions if names
    ]
    return phrase("“{name}” is for {names}", name=trigger.name, names=join_names(parts or [phrase("every search")]))


def _describe_kind(kind: EmployeeType, params: ExplainQuery) -> str:
    match kind:
        case EmployeeType.EXPLICIT:
            meaning = phrase("in explicitEmployeeIds")
        case EmployeeType.LOCAL if params.customer_location:
            meaning = phrase("working at {customer_location}", customer_location=params.customer_location)
        case EmployeeType.LOCAL:
            meaning = phrase("working at customerLocation, which is not given")
        case EmployeeType.SERVICE_GROUP:
            meaning = phrase("in a service group")
    return join([kind.value, phrase("({meaning})", meaning=meaning)])


def join_names(names: Sequence[str]) -> str:
    """Return names as an enumeration: `Physical, Online and Telephone`; `none` for none."""
    *most, last = names or [phrase("none")]
    return phrase("{most} and {last}", most=join(most, ", "), last=last) if most else last


def _quote_all(names: Sequence[str]) -> str:
    return join_names([f"“{each}”" for each in names])
