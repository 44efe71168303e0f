"""The sentences of the explanations: the closing day, meeting, limit … that removes a start."""

from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from meetdeck.booking.scheduling.explanations.service.exclusions import describe_levels, describe_triggers, join_names
from meetdeck.booking.scheduling.explanations.service.slot_facts import SlotFacts
from meetdeck.booking.scheduling.explanations.service.wording import (
    ENTRIES,
    ON_WEEKDAYS,
    describe_short,
    join_weekday_hours,
    list_dates,
    list_places,
    name_day,
    name_hours,
    name_places,
    name_taken,
    name_type,
    name_types,
    show_hours,
    show_length,
    show_types,
)
from meetdeck.booking.scheduling.explanations.store import CalendarTime
from meetdeck.booking.scheduling.slot_status import SlotStatus
from meetdeck.booking.slots.explain import Verdict
from meetdeck.booking.slots.hours import WorkedHours
from meetdeck.booking.slots.model import EXTRA_TYPES, MeetingType, to_place
from meetdeck.booking.slots.rooms import list_fitting
from meetdeck.booking.slots.rules import Rule
from meetdeck.platform.phrases import Span, join, mark, mean, phrase


class Messages(SlotFacts):
    """Writes a sentence for each rule. Times are the organization's; working hours are by the employee's own clock."""

    def explain(self, verdict: Verdict) -> str:
        """Return the sentence for a verdict: for an available start, the extra hours that it is in, else nothing."""
        if verdict.rule is not None:
            return _SENTENCES[verdict.rule](self, verdict)
        extra = self._list_extra(verdict) if verdict.meeting_type in EXTRA_TYPES else []
        return (
            phrase("{name} has extra hours then: {names}.", name=self._facts.name, names=join_names(extra))
            if extra
            else ""
        )

    def describe_past(self, _: Verdict) -> str:
        """Write the current time."""
        return phrase("It is {moment} already.", moment=self._show(self._query.now))

    def describe_outside(self, _: Verdict) -> str:
        """Write the searched time."""
        begin, end = self._show(self._query.starts_at), self._show(self._query.ends_at)
        return phrase("The search is from {begin} to {end}, and the whole slot must lie within.", begin=begin, end=end)

    def describe_notice(self, _: Verdict) -> str:
        """Write the organization's minimum notice."""
        notice = self._query.minimum_notice
        return phrase(
            "Customers book {length} ahead at least: from {moment} on.",
            length=show_length(notice),
            moment=self._show(self._query.now + notice),
        )

    def describe_ahead(self, _: Verdict) -> str:
        """Write the longest time that customers can book ahead."""
        most = self._query.max_ahead or timedelta(0)
        return phrase(
            "Customers book {length} ahead at most: up to {moment}.",
            length=show_length(most),
            moment=self._show(self._query.now + most),
        )

    def describe_opening(self, verdict: Verdict) -> str:
        """Write the opening hours."""
        opening, closing = self._organization.opening, self._organization.closing
        said = phrase(
            "Customers meet when the organization is open, from {hours}, and the whole slot must lie within.",
            hours=name_hours(opening, closing),
        )
        return join([said, self._describe_extra(verdict)])

    def describe_closing_day(self, verdict: Verdict) -> str:
        """Write the closing days of the slot."""
        closed = [day for day in self.list_days(verdict) if day in self._organization.closing_days]
        shown = join_names([name_day(day) for day in closed])
        extra = self._list_extra(verdict)
        wins = phrase("Extra hours do not open it: {times}.", times=join_names(extra)) if extra else ""
        if len(closed) == 1:
            return join([phrase("{day} is a closing day of the organization.", day=shown), wins])
        return join([phrase("{days} are closing days of the organization.", days=shown), wins])

    def describe_hours(self, verdict: Verdict) -> str:
        """Write the working hours on the days of the slot, in any meeting type."""
        zone = verdict.candidate.zone
        works: list[str] = []
        rests: list[str] = []
        for day in list_dates(verdict.starts_at, verdict.ends_at, zone):
            spans = join_weekday_hours([each for each in verdict.candidate.intervals if each.weekday == day.weekday()])
            shown = join_names([name_hours(begin, end) for begin, end in spans])
            weekday = phrase(ON_WEEKDAYS[day.weekday()])
            (works if spans else rests).append(
                join([weekday, phrase("from {shown}", shown=shown)]) if spans else weekday
            )
        not_then = phrase(
            "{name} does not work {days}.", name=self._facts.name, days=join_names(list(dict.fromkeys(rests)))
        )
        extra = self._describe_extra(verdict)
        if not works:
            return join([not_then, extra])
        said = phrase(
            "{name} works {hours}, and the whole slot must lie within.",
            name=self._facts.name,
            hours=join([join_names(list(dict.fromkeys(works))), self._show_clock(zone)]),
        )
        return join([said, not_then if rests else "", extra])

    def describe_type(self, verdict: Verdict) -> str:
        """Write the meeting types of the hours during the slot; some of these hours may have the type, too."""
        then = self.list_hours(verdict)
        name, wanted = self._facts.name, verdict.meeting_type
        if any(wanted in each.meeting_types for each in then):
            zone = verdict.candidate.zone
            parts = [
                phrase("{hours} for {types}", hours=show_hours(each, zone), types=show_types([each])) for each in then
            ]
            mixed = phrase(
                "Not all hours of {name} during the slot are for {type} meetings: {hours}.",
                name=name,
                type=name_type(wanted),
                hours=join([join_names(parts), self._show_clock(zone)]),
            )
            return join([mixed, self._describe_extra(verdict)])
        if not any(each.meeting_types for each in then):
            return phrase("The hours of {name} then are for no meetings.", name=name)
        others = phrase(
            "The hours of {name} then are for {types} meetings, not for {type} ones.",
            name=name,
            types=show_types(then),
            type=name_type(wanted),
        )
        return join([others, self._describe_extra(verdict)])

    def describe_trigger(self, verdict: Verdict) -> str:
        """Write the meeting types in which service groups offer the employee."""
        mine = [each for each in self._candidates if each.employee_id == verdict.candidate.employee_id]
        offered = name_types(frozenset[MeetingType]().union(*(each.meeting_types & each.level_types for each in mine)))
        return phrase(
            "Service groups offer {name} for {offered} meetings in this search, not for "
            "{meeting_type} ones: {triggers}.",
            name=self._facts.name,
            offered=offered,
            meeting_type=verdict.meeting_type,
            triggers=describe_triggers(self._triggers),
        )

    def describe_level(self, verdict: Verdict) -> str:
        """Write the meetings that the service levels leave, of the groups whose triggers let the type through."""
        offering = [each for each in self._groups if each.is_fitting and verdict.meeting_type in each.meeting_types]
        return phrase(
            "The service levels of {name} allow no {meeting_type} meeting then: {levels}.",
            name=self._facts.name,
            meeting_type=verdict.meeting_type,
            levels=describe_levels(offering),
        )

    def describe_location(self, verdict: Verdict) -> str:
        """Write where the employee works, and where physical meetings are wanted; each meeting stays at one place."""
        offering = [each for each in self.list_hours(verdict) if verdict.meeting_type in each.meeting_types]
        there, wanted = list_places(offering), self._query.meeting_location
        name, places = self._facts.name, name_places(there)
        if wanted is None:
            return phrase(
                "A physical meeting stays at one place, and {name} works {places} then.", name=name, places=places
            )
        place = name_places([wanted])
        if to_place(wanted) in set(map(to_place, there)):
            return phrase(
                "A physical meeting stays {place}, and {name} works {places} then.",
                name=name,
                places=places,
                place=place,
            )
        return phrase("{name} works {places} then, not {place}.", name=name, places=places, place=place)

    def describe_local(self, verdict: Verdict) -> str:
        """Write where the employee is when the slot starts, and where the customer is."""
        first = [
            each
            for each in self.list_hours(verdict)
            if each.begin <= verdict.starts_at and verdict.meeting_type in each.meeting_types
        ]
        return phrase(
            "employeeTypes requests Local, and {name} works {places} when the slot starts, not {places2}.",
            name=self._facts.name,
            places=name_places(list_places(first)),
            places2=name_places([verdict.candidate.start_place or ""]),
        )

    def describe_lead(self, _: Verdict) -> str:
        """Write the organization's working-time buffer."""
        length = show_length(self._query.working_time_buffer)
        return phrase(
            "Customers are offered {name} after {length} of their own working hours from {moment} "
            "on; closing days and extra hours do not count.",
            name=self._facts.name,
            length=length,
            moment=self._show(self._query.now),
        )

    def describe_response(self, verdict: Verdict) -> str:
        """Write the response time, its groups, and the time from which the employee is offered."""
        length = verdict.candidate.response_time
        names = join_names([each.name for each in self._groups if each.is_fitting and each.response_time == length])
        ready = self._show(self._query.now + length)
        return phrase(
            "The response time of {names} is {length}: {name} is offered from {ready} on.",
            names=names,
            length=show_length(length),
            name=self._facts.name,
            ready=ready,
        )

    def describe_busy(self, verdict: Verdict) -> str:
        """Write the meetings and reservations in the way, buffers included, and the Busy time."""
        own, query = verdict.candidate, self._query
        least_before, least_after = query.buffers
        before, after = max(own.buffer_before, least_before), max(own.buffer_after, least_after)
        begin, end = verdict.starts_at - before, verdict.ends_at + after
        booked = [each for each in self._taken if each.starts_at < end and begin < each.ends_at]
        entries = self.list_entries(verdict, SlotStatus.BUSY)
        met = [self._name(each) for each in (*booked, *entries)]
        sides = (
            (before, own.buffer_before, query.preparation_time, mark("{length} before")),
            (after, own.buffer_after, query.follow_up_time, mark("{length} after")),
        )
        buffers: dict[str, list[str]] = {}
        for length, by_groups, by_topic, side in sides:
            if length and booked:
                wanting = mark("The organization requires {lengths} a meeting to be free.")
                if by_groups == length:
                    wanting = mark("Their service groups require {lengths} a meeting to be free.")
                elif by_topic == length:
                    wanting = mark("The topic “{topic}” requires {lengths} a meeting to be free.")
                buffers.setdefault(wanting, []).append(phrase(side, length=show_length(length)))
        wanted = [
            phrase(
                wanting, lengths=join_names(lengths), **({"topic": self._facts.topic} if "{topic}" in wanting else {})
            )
            for wanting, lengths in buffers.items()
        ]
        return join([phrase("{name} is taken: {times}.", name=self._facts.name, times=join_names(met)), *wanted])

    def describe_elsewhere(self, verdict: Verdict) -> str:
        """Write the times at which the employee works from elsewhere."""
        times = join_names([self._span(each) for each in self.list_entries(verdict, SlotStatus.WORKING_FROM_ELSEWHERE)])
        return phrase(
            "{name} works from elsewhere {times}, and has no physical meetings then.",
            name=self._facts.name,
            times=times,
        )

    def describe_limit(self, verdict: Verdict) -> str:
        """Write the time booked on the day, and the limit that the meeting would exceed."""
        limit = verdict.candidate.daily_limit or timedelta(0)
        booked = {day: self.sum_booked(day) for day in self.list_days(verdict)}
        fullest = max(booked, key=booked.__getitem__)
        return phrase(
            "Booked or reserved on {day}: {booked}. With {length} more it would exceed {limit} a day,"
            " the limit of {owner}.",
            day=name_day(fullest),
            booked=show_length(booked[fullest]),
            length=show_length(self._query.duration),
            limit=show_length(limit),
            owner=self._name_limit(limit),
        )

    def describe_room(self, verdict: Verdict) -> str:
        """Write the rooms that were considered."""
        query = self._query
        places = [] if query.room_ids is not None else self.list_room_places(verdict)
        if query.room_ids is None and not places:
            then = name_places(list_places(self.list_hours(verdict)))
            return phrase(
                "A room at one place is needed for all of the slot, and {name} works {places} then.",
                name=self._facts.name,
                places=then,
            )
        where = phrase("among specificRooms") if query.room_ids is not None else name_places(places)
        seats = query.count_seats(verdict.meeting_type)
        fitting = list_fitting(query, self._rooms, verdict.meeting_type)
        if query.room_ids is None:
            fitting = [room for room in fitting if to_place(room.location) in set(map(to_place, places))]
        if not fitting:
            return phrase(
                "A room that seats {seats} is needed, and none {where} can be booked.", seats=seats, where=where
            )
        return phrase(
            "A room that seats {seats} is needed, and all such rooms {where} ({count}) are taken.",
            seats=seats,
            where=where,
            count=len(fitting),
        )

    def describe_participants(self, verdict: Verdict) -> str:
        """Write the named employees who cannot take part."""
        names = join_names([self._names.get(each, str(each)) for each in verdict.missing])
        return phrase("Everybody named has to take part, and the search does not offer {names} then.", names=names)

    def describe_also(self, verdict: Verdict) -> str:
        """Write the groups that have too few people free."""
        return describe_short([each for each in self._query.also if each.name in verdict.short])

    def describe_choice(self, verdict: Verdict) -> str:
        """Write the advisor who is offered instead."""
        name = self._names.get(verdict.chosen, str(verdict.chosen)) if verdict.chosen is not None else phrase("another")
        return phrase(
            "getBestTimeSlots offers one advisor for each time, and that is {name}: by "
            "advisorPriority, then by who is booked least on that day, then by lot.",
            name=name,
        )

    def describe_next(self, moment: datetime) -> str:
        """Write when the search offers the advisor together with people of the groups again."""
        return phrase("Next: {moment}.", moment=self._show(moment))

    def _show(self, moment: datetime) -> str:
        local = moment.astimezone(self._organization.zone)
        is_there_twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
        return mean(f"{local:%Y-%m-%d %H:%M %Z}" if is_there_twice else f"{local:%Y-%m-%d %H:%M}", local)

    def _show_clock(self, zone: ZoneInfo) -> str:
        """Return the time zone of working hours where it is not the organization's."""
        return f"({zone.key})" if zone != self._organization.zone else ""

    def _span(self, time: CalendarTime | WorkedHours) -> str:
        begin, end = (time.begin, time.end) if isinstance(time, WorkedHours) else (time.starts_at, time.ends_at)
        zone = self._organization.zone
        meaning = Span(begin.astimezone(zone), end.astimezone(zone))
        return mean(f"from {self._show(begin)} to {self._show(end)}", meaning)

    def _list_extra(self, verdict: Verdict) -> list[str]:
        """Return the extra hours that overlap the slot, in words."""
        return [
            join([phrase(ENTRIES[SlotStatus.EXTRA_OPEN]), self._span(each)])
            for each in self.list_hours(verdict)
            if each.is_extra
        ]

    def _describe_extra(self, verdict: Verdict) -> str:
        """Return a sentence on the extra hours that overlap a slot and do not offer it."""
        extra = self._list_extra(verdict)
        if not extra:
            return ""
        return phrase(
            "More hours, for {types} meetings: {times}.", types=name_types(EXTRA_TYPES), times=join_names(extra)
        )

    def _name(self, taken: CalendarTime) -> str:
        return name_taken(taken, self._span(taken), self._show)

    def _name_limit(self, limit: timedelta) -> str:
        """Return the owner of the limit that applies: the employee, else a service group, else the organization."""
        if self._facts.daily_limit is not None:
            return self._facts.name
        names = [each.name for each in self._groups if each.daily_limit == limit]
        return join_names(names) if names else phrase("the organization")


_SENTENCES: dict[Rule, Callable[[Messages, Verdict], str]] = {
    Rule.PAST: Messages.describe_past,
    Rule.OUTSIDE_SEARCH: Messages.describe_outside,
    Rule.MINIMUM_NOTICE: Messages.describe_notice,
    Rule.TOO_FAR_AHEAD: Messages.describe_ahead,
    Rule.OPENING_HOURS: Messages.describe_opening,
    Rule.CLOSING_DAY: Messages.describe_closing_day,
    Rule.WORKING_HOURS: Messages.describe_hours,
    Rule.MEETING_TYPE: Messages.describe_type,
    Rule.SERVICE_TRIGGER: Messages.describe_trigger,
    Rule.SERVICE_LEVEL: Messages.describe_level,
    Rule.LOCATION: Messages.describe_location,
    Rule.LOCAL: Messages.describe_local,
    Rule.WORKING_TIME_BUFFER: Messages.describe_lead,
    Rule.RESPONSE_TIME: Messages.describe_response,
    Rule.BUSY: Messages.describe_busy,
    Rule.WORKING_FROM_ELSEWHERE: Messages.describe_elsewhere,
    Rule.DAILY_LIMIT: Messages.describe_limit,
    Rule.ROOM: Messages.describe_room,
    Rule.PARTICIPANTS: Messages.describe_participants,
    Rule.ALSO: Messages.describe_also,
    Rule.ANOTHER_CHOSEN: Messages.describe_choice,
}
