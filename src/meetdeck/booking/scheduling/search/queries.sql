-- name: list_candidates(topic_id, customer_type_id, named, among)
-- The employees who may be offered, before service groups are considered: active, bookable, serving the topic and the
-- customer type; only those of `among`, unless it is null.
-- A topic that no group names is served by everybody; otherwise a group of the employee, or one above, must name it, or
-- name none.
-- Groups are looked up in lists, which PostgreSQL hashes; joins, whose number of rows it does not know
-- (docs/decisions/0036), it might repeat for each employee. Workdays come as texts, which `working_hours` reads.
with served as (
    select
        competence_group_id,
        not exists (
            select from competence_group_topic as any_topic
            where any_topic.competence_group_id = competence_group.competence_group_id
        ) or exists (
            select from competence_group_topic as this_topic
            where this_topic.competence_group_id = competence_group.competence_group_id
                and this_topic.topic_id = :topic_id
        ) as serves_topic,
        not exists (
            select from competence_group_customer_type as any_type
            where any_type.competence_group_id = competence_group.competence_group_id
        ) or exists (
            select from competence_group_customer_type as this_type
            where this_type.competence_group_id = competence_group.competence_group_id
                and this_type.customer_type_id = :customer_type_id
        ) or :customer_type_id::uuid is null as serves_type
    from competence_group
),

serving as (
    select competence_group_id
    from competence_groups_down(
        array(select competence_group_id from served where (serves_topic or :topic_id::uuid is null) and serves_type)
    ) as below (competence_group_id)
)

select
    employee.employee_id, resource.resource_key, employee.time_zone, employee.location, schedule.max_meeting_time_per_day,
    array(
        select concat_ws(' ', day_of_week, from_time, to_time, meeting_types, workday.location)
        from employee_workday as workday
        where workday.employee_schedule_id = schedule.employee_schedule_id and workday.is_available
        order by position
    ) as workdays
from employee
join resource on resource.resource_id = employee.employee_id
join employee_schedule as schedule on schedule.employee_id = employee.employee_id
where employee.active
    and (:among::uuid[] is null or employee.employee_id in (select unnest(:among::uuid[])))
    and schedule.can_be_booked
    and (employee.employee_id = any (:named::uuid[]) or not schedule.is_only_explicitly_available)
    and (
        :customer_type_id::uuid is null
        or employee.employee_id not in (select employee_id from employee_customer_type)
        or employee.employee_id in (
            select employee_id from employee_customer_type where customer_type_id = :customer_type_id
        )
    )
    and case
        when exists (select from competence_group_topic where topic_id = :topic_id) then employee.employee_id in (
            select employee_id from competence_group_employee
            where competence_group_id in (select competence_group_id from serving)
        )
        when :topic_id::uuid is not null then true
        else employee.employee_id not in (select employee_id from competence_group_employee)
            or employee.employee_id in (
                select employee_id from competence_group_employee
                where competence_group_id in (select competence_group_id from serving)
            )
    end
order by employee.name, employee.employee_id;

-- name: list_labelled(labels)
-- The employees whose groups carry all of some labels between them, which are in lower case and each once: competence
-- groups, those above them, and service groups, of which they are members directly or through competence groups.
select member.employee_id
from label
cross join lateral (
    select employee_id from competence_group_employee
    where competence_group_id in (
        select found.competence_group_id
        from competence_groups_down(
            array(
                select carried.competence_group_id from competence_group_label as carried
                where carried.label_id = label.label_id
                union all
                select through.competence_group_id from service_group_competence_group as through
                where through.service_group_id in (
                    select carried.service_group_id from service_group_label as carried
                    where carried.label_id = label.label_id
                )
            )
        ) as found (competence_group_id)
    )
    union
    select employee_id from service_group_employee
    where service_group_id in (
        select carried.service_group_id from service_group_label as carried where carried.label_id = label.label_id
    )
) as member
where label.label_key = any (:labels::text[])
group by member.employee_id
having count(*) = cardinality(:labels::text[]);

-- name: list_service_groups(topic_id, customer_type_id, meeting_types, among, labels)
-- Each with its rules, and whether its trigger fits but for its locations: of each kind that it names, one is searched for,
-- or the search leaves it open. With its direct members, and those of its competence groups and the groups below who are direct members of no
-- service group; only those of `among`, unless it is null. And those of some labels that it carries. In a stable order:
-- of groups that offer the same the first counts.
select
    service_group_id, name, priority, response_time, buffer_before, buffer_after, max_meeting_time_per_day, trigger_meeting_types,
    trigger_locations, level_meeting_types, level_locations,
    array(
        select asked from unnest(:labels::text[]) as asked
        where lower(asked) in (
            select (select label_key from label where label.label_id = carried.label_id)
            from service_group_label as carried
            where carried.service_group_id = service_group.service_group_id
        )
    ) as labels,
    (
        :topic_id::uuid is null
        or not exists (
            select from service_group_topic as any_topic
            where any_topic.service_group_id = service_group.service_group_id
        )
        or exists (
            select from service_group_topic as this_topic
            where this_topic.service_group_id = service_group.service_group_id and this_topic.topic_id = :topic_id
        )
    )
    and (
        :customer_type_id::uuid is null
        or not exists (
            select from service_group_customer_type as any_type
            where any_type.service_group_id = service_group.service_group_id
        )
        or exists (
            select from service_group_customer_type as this_type
            where this_type.service_group_id = service_group.service_group_id
                and this_type.customer_type_id = :customer_type_id
        )
    )
    and (
        trigger_meeting_types = '{}' or :meeting_types::text[] is null
        or trigger_meeting_types && :meeting_types::text[]
    ) as is_fitting,
    array(
        select employee_id from service_group_employee as member
        where member.service_group_id = service_group.service_group_id
            and (:among::uuid[] is null or member.employee_id in (select unnest(:among::uuid[])))
    ) as member_ids,
    array(
        select distinct member.employee_id
        from competence_groups_down(
            array(
                select competence_group_id from service_group_competence_group as through
                where through.service_group_id = service_group.service_group_id
            )
        ) as below (competence_group_id)
        join competence_group_employee as member using (competence_group_id)
        where (:among::uuid[] is null or member.employee_id in (select unnest(:among::uuid[])))
            and member.employee_id not in (select employee_id from service_group_employee)
    ) as through_ids
from service_group
order by name, service_group_id;

-- name: list_bookable_rooms()
select room.room_id, resource.resource_key, room.location, room.capacity
from room
join resource on resource.resource_id = room.room_id
where room.available and room.can_be_booked;

-- name: list_companions(meeting_id)
-- The people of service groups who come along to a meeting, each with the group.
select came.service_group_id, came.employee_id
from meeting
cross join lateral unnest(also_service_groups, also_employees) as came (service_group_id, employee_id)
where meeting_id = :meeting_id;

-- name: find_conditions(customer_type_id, topic_id)^
-- The topic's rules, nulls without one; and the locations whose physical meetings need a free room.
select
    duration_minutes, preparation_time, follow_up_time, meeting_types, customer_bookable, also_service_groups, seats,
    minimum_seats,
    not exists (
        select from meeting_topic_customer_type as any_type where any_type.topic_id = meeting_topic.topic_id
    ) or exists (
        select from meeting_topic_customer_type as this_type
        where this_type.topic_id = meeting_topic.topic_id and this_type.customer_type_id = :customer_type_id
    ) or :customer_type_id::uuid is null as serves_type,
    array(select location from location where require_available_room) as locations_that_require_rooms
from (values (:topic_id::uuid)) as asked (topic_id)
left join meeting_topic using (topic_id);

-- name: load_calendars(begin_at, end_at, now, longest, short_entry, statuses, are_long, longest_entries, own_ids)^
-- Taken times between two moments, as three columns of big-endian numbers (microseconds since 2000), read from an index
-- alone; the caller's own is excluded by key and start for that. Tokens and ids of meetings share one list of UUIDs.
-- Calendar entries come packed, a row as 20 bytes (migration 0024): short Busy ones, which are nearly all, as a column of
-- their own, the others for each status and each of its two parts. Short ones that ended within the day before come along:
-- telling them apart would take longer. `unread` are, packed likewise, whole searches of those whose calendar is stale, where
-- the firm offers none of their times then. `has_shared`: there are times of which several customers have a row each. What
-- is long is neither a subquery of the column list nor an item of an array, which would be copied several times; with null
-- instead of an empty delimiter, each value is joined in one step.
select
    taken.resource_keys, taken.starts_at, taken.ends_at, short_busy.packed as short_busy,
    array(
        select (
            select coalesce(string_agg(packed, null), '') from calendar_entry
            where status = wanted.status and is_long = wanted.is_long
                and starts_at > :begin_at::timestamptz - wanted.longest and starts_at < :end_at
                and (not wanted.is_long or ends_at > :begin_at)
        )
        from unnest(:statuses::text[], :are_long::boolean[], :longest_entries::interval[])
            with ordinality as wanted (status, is_long, longest, place)
        order by place
    ) as entries,
    (
        select coalesce(
            string_agg(int4send(resource_key) || timestamptz_send(:begin_at) || timestamptz_send(:end_at), ''), ''
        )
        from unread_resources(:now)
    ) as unread,
    exists (
        select from occupancy
        where shared_slot_id is not null and starts_at > :begin_at::timestamptz - :longest::interval
            and starts_at < :end_at
    ) as has_shared
from (
    select
        coalesce(string_agg(int4send(resource_key), null), '') as resource_keys,
        coalesce(string_agg(timestamptz_send(starts_at), null), '') as starts_at,
        coalesce(string_agg(timestamptz_send(ends_at), null), '') as ends_at
    from occupancy
    where starts_at > :begin_at::timestamptz - :longest::interval and starts_at < :end_at and ends_at > :begin_at
        and (expires_at is null or expires_at > :now)
        and (resource_key, starts_at) not in (
            select resource_key, starts_at from occupancy as own where time_slot_id in (
                select time_slot_id from time_slot where status = 'Reserved' and token = any (:own_ids::uuid[])
                union all
                select time_slot_id from meeting where meeting_id = any (:own_ids::uuid[])
            )
            and not exists (
                select from occupancy as other
                where other.shared_slot_id = own.shared_slot_id and other.resource_key = own.resource_key
                    and (other.expires_at is null or other.expires_at > :now)
                    and other.time_slot_id not in (
                        select time_slot_id from time_slot where status = 'Reserved' and token = any (:own_ids::uuid[])
                        union all
                        select time_slot_id from meeting where meeting_id = any (:own_ids::uuid[])
                    )
            )
        )
) as taken
cross join (
    select coalesce(string_agg(packed, null), '') as packed from calendar_entry
    where status = 'Busy' and not is_long
        and starts_at > :begin_at::timestamptz - :short_entry::interval and starts_at < :end_at
) as short_busy;

-- name: list_resource_keys(resource_ids)
select resource_key from resource where resource_id = any (:resource_ids::uuid[]);

-- name: list_begun(topic_id, begin_at, end_at, now, own_ids)
-- The times about a topic that others share, with the seats that are left, also in their room.
select
    shared_slot_id, employee_id, meeting_type, starts_at, ends_at, room_id,
    coalesce(room.location, employee.location) as location,
    greatest(
        least(seats, case when meeting_type = 'Physical' then room.capacity - employees end) - taken, 0
    )::integer as seats_left
from shared_slot
join meeting_topic using (tenant_id, topic_id)
join employee using (tenant_id, employee_id)
left join room using (tenant_id, room_id)
cross join lateral (
    select
        count(distinct seat) as taken,
        count(distinct resource_key) filter (
            where resource_key is distinct from (
                select resource.resource_key from resource where resource_id = shared_slot.room_id
            )
        ) as employees
    from occupancy
    where occupancy.shared_slot_id = shared_slot.shared_slot_id and (expires_at is null or expires_at > :now)
        and time_slot_id not in (
            select time_slot_id from time_slot where status = 'Reserved' and token = any (:own_ids::uuid[])
            union all
            select time_slot_id from meeting where meeting_id = any (:own_ids::uuid[])
        )
) as counted
where topic_id = :topic_id and starts_at >= :begin_at and starts_at < :end_at and taken > 0;
