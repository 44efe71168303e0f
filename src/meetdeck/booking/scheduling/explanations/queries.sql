-- name: find_employee(topic_id, customer_type_id, employee_id)^
-- The facts that decide whether a search considers an employee, rule by rule: the same rules as in list_candidates.
with served as (
    select
        competence_group_id, name,
        exists (
            select from competence_group_topic as this_topic
            where this_topic.competence_group_id = competence_group.competence_group_id
                and this_topic.topic_id = :topic_id
        ) as names_topic,
        not exists (
            select from competence_group_topic as any_topic
            where any_topic.competence_group_id = competence_group.competence_group_id
        ) as serves_all_topics,
        not exists (
            select from competence_group_customer_type as any_type
            where any_type.competence_group_id = competence_group.competence_group_id
        ) or exists (
            select from competence_group_customer_type as this_type
            where this_type.competence_group_id = competence_group.competence_group_id
                and this_type.customer_type_id = :customer_type_id
        ) or :customer_type_id::uuid is null as serves_type,
        competence_group_id in (
            select competence_group_id from competence_group_employee where employee_id = :employee_id
        ) as is_own,
        competence_group_id in (
            select competence_groups_up(
                array(select competence_group_id from competence_group_employee where employee_id = :employee_id)
            )
        ) as is_over
    from competence_group
)

select
    employee.name, employee.active,
    schedule.employee_schedule_id is not null as has_schedule,
    coalesce(schedule.can_be_booked, false) as can_be_booked,
    coalesce(schedule.is_only_explicitly_available, false) as is_only_when_named,
    schedule.max_meeting_time_per_day as daily_limit,
    array(
        select employee.location
        union
        select coalesce(nullif(workday.location, ''), employee.location) from employee_workday as workday
        where workday.employee_schedule_id = schedule.employee_schedule_id and workday.is_available
    ) as locations,
    array(
        select customer_type.name from employee_customer_type as own
        join customer_type on customer_type.customer_type_id = own.customer_type_id
        where own.employee_id = employee.employee_id order by customer_type.name
    ) as customer_types,
    array(select name from served where is_own order by name) as own_groups,
    array(select name from served where is_over and not is_own order by name) as groups_above,
    array(select name from served where names_topic order by name) as groups_of_topic,
    :customer_type_id::uuid is null
        or employee.employee_id not in (select employee_id from employee_customer_type)
        or exists (
            select from employee_customer_type as own
            where own.employee_id = employee.employee_id and own.customer_type_id = :customer_type_id
        ) as serves_customer_type,
    case
        when exists (select from served where names_topic)
            then exists (
                select from served where is_over and (names_topic or serves_all_topics) and serves_type
            )
        when :topic_id::uuid is not null then true
        else not exists (select from served where is_own)
            or exists (select from served where is_over and serves_type)
    end as serves_topic,
    coalesce((select name from meeting_topic where topic_id = :topic_id), '') as topic,
    array(
        select customer_type.name from meeting_topic_customer_type as wanted
        join customer_type on customer_type.customer_type_id = wanted.customer_type_id
        where wanted.topic_id = :topic_id order by customer_type.name
    ) as customer_types_of_topic,
    coalesce((select name from customer_type where customer_type_id = :customer_type_id), '') as customer_type
from employee
left join employee_schedule as schedule on schedule.employee_id = employee.employee_id
where employee.employee_id = :employee_id;

-- name: list_calendar(employee_id, own_ids, starts_at, ends_at, now, longest, longest_entry, short_entry)
-- An employee's meetings and reservations between two moments, without the caller's own, and calendar entries: of those that
-- were read from a calendar, the connection. The whole time is Busy while the calendar is stale and the firm offers none then.
select
    taken.starts_at, taken.ends_at, taken.expires_at, meeting.meeting_id, meeting.title, null as entry, 'api' as source,
    null::uuid as connection_id, null as connection_name, null::timestamptz as read_at
from occupancy as taken
join resource using (tenant_id, resource_key)
join time_slot using (tenant_id, time_slot_id)
left join meeting using (tenant_id, time_slot_id)
where resource.resource_id = :employee_id
    and taken.starts_at < :ends_at and taken.ends_at > :starts_at
    and taken.starts_at > :starts_at::timestamptz - :longest::interval
    and (taken.expires_at is null or taken.expires_at > :now)
    and (time_slot.token is null or not time_slot.token = any (:own_ids::uuid[]))
    and (meeting.meeting_id is null or not meeting.meeting_id = any (:own_ids::uuid[]))
union all
select
    starts_at, ends_at, null, null, null, status, case when calendar_id is null then 'api' else 'calendar' end,
    connection_id, calendar_connection.name, null
from calendar_entry
join resource using (tenant_id, resource_key)
left join calendar_mailbox on calendar_mailbox.mailbox_id = calendar_entry.calendar_id
left join calendar_connection using (connection_id)
where resource.resource_id = :employee_id
    and starts_at < :ends_at and ends_at > :starts_at
    and starts_at > :starts_at::timestamptz - case when is_long then :longest_entry::interval else :short_entry::interval end
union all
select :starts_at, :ends_at, null, null, null, 'Busy', 'unread', connection_id, calendar_connection.name, calendar_mailbox.near_at
from calendar_mailbox
join calendar_connection using (connection_id)
join resource on resource.resource_id = calendar_mailbox.employee_id
where calendar_mailbox.employee_id = :employee_id and resource_key in (select unread_resources(:now))
order by starts_at;

-- name: list_triggers(employee_id)
-- The triggers of the service groups that may offer an employee: those of direct membership, else those through competence
-- groups and those above them.
with own as (
    select service_group_id from service_group_employee where employee_id = :employee_id
),

offering as (
    select service_group_id from own
    union
    select service_group_id
    from service_group_competence_group
    where competence_group_id in (
            select competence_groups_up(
                array(select competence_group_id from competence_group_employee where employee_id = :employee_id)
            )
        )
        and not exists (select from own)
)

select
    service_group.name,
    array(
        select customer_type.name from service_group_customer_type as wanted
        join customer_type using (tenant_id, customer_type_id)
        where wanted.service_group_id = service_group.service_group_id order by customer_type.name
    ) as customer_types,
    array(
        select meeting_topic.name from service_group_topic as wanted
        join meeting_topic using (tenant_id, topic_id)
        where wanted.service_group_id = service_group.service_group_id order by meeting_topic.name
    ) as topics,
    service_group.trigger_meeting_types as meeting_types,
    service_group.trigger_locations as locations
from service_group
join offering using (service_group_id)
order by service_group.name, service_group.service_group_id;
