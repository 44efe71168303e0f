-- name: find_service_group(named)^
-- By id or name; of several of one name, the one that comes first in a search. With its advisors: its direct members, and
-- those of its competence groups and the groups below who are direct members of no service group.
select
    service_group_id,
    array(
        select employee_id from service_group_employee as member
        where member.service_group_id = service_group.service_group_id
        union
        select member.employee_id
        from competence_groups_down(
            array(
                select competence_group_id from service_group_competence_group as through
                where through.service_group_id = service_group.service_group_id
            )
        ) as below (competence_group_id)
        join competence_group_employee as member using (competence_group_id)
        where member.employee_id not in (select employee_id from service_group_employee)
    ) as advisor_ids
from service_group
where service_group_id::text = lower(:named) or name = :named
order by service_group_id::text = lower(:named) desc, priority desc, service_group_id
limit 1;

-- name: lock_resources(resource_ids)
select resource_id from lock_resources(:resource_ids);

-- name: release(time_slot_ids)!
-- Deletes the occupancy of some slots.
delete from occupancy where time_slot_id = any (:time_slot_ids::uuid[]);

-- name: add_and_occupy(time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token, expires_at, resource_ids, now, over_busy)
-- Inserts a slot with its occupancy, in one round trip; returns the resources that exist, and whether they are busy then.
select resource_id, starts_at, ends_at, is_busy
from add_and_occupy(
    :time_slot_id, :starts_at, :ends_at, :employee_id, :room_id, :service_group, :status, :token, :expires_at,
    :resource_ids, :now, :over_busy
);

-- name: occupy(now, starts_at, ends_at, resource_ids, released_slot_ids, time_slot_id, expires_at, existing_meeting_id, over_busy, shared_slot_id, seat)
-- Inserts the occupancy of an existing slot, as `add_and_occupy` does, without the time that the meeting to be moved occupies
-- already, unless others have a seat in it. Released occupancy is deleted first. What a resource keeps of it is not asked whether it is busy: a row of the
-- answer is a resource and a time that it had not taken before.
with locked as materialized (
    select resource_id, resource_key from lock_resources(:resource_ids)
),
expired as (
    delete from occupancy using locked
    where occupancy.resource_key = locked.resource_key and occupancy.expires_at <= :now
    returning 1
),
released as (
    delete from occupancy where time_slot_id = any (:released_slot_ids::uuid[]) returning resource_key, during
),
wanted as materialized (
    select
        resource_id, resource_key,
        case
            when :existing_meeting_id::uuid is null then tstzmultirange(tstzrange(:starts_at, :ends_at))
            else tstzmultirange(tstzrange(:starts_at, :ends_at)) - coalesce(
                (
                    select range_agg(held.during)
                    from occupancy as held
                    where held.resource_key = locked.resource_key
                        and held.time_slot_id = any (
                            array(select time_slot_id from meeting where meeting_id = :existing_meeting_id)
                        )
                        and not exists (
                            select from occupancy as other
                            where other.shared_slot_id = held.shared_slot_id and other.resource_key = held.resource_key
                                and other.time_slot_id <> held.time_slot_id
                                and (other.expires_at is null or other.expires_at > :now)
                        )
                ),
                tstzmultirange()
            )
        end as parts
    from locked
),
taken as (
    insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id, expires_at, shared_slot_id, seat)
    select
        current_tenant(), resource_key, lower(part), upper(part), :time_slot_id, :expires_at, :shared_slot_id, :seat::integer
    from wanted
    cross join unnest(parts) as part
    where (select count(*) from expired) + (select count(*) from released) >= 0
)
select
    resource_id, lower(part) as starts_at, upper(part) as ends_at,
    part is not null and not :over_busy and is_busy(resource_key, lower(part), upper(part)) as is_busy
from wanted
left join lateral unnest(
    parts - coalesce(
        (select range_agg(during) from released where released.resource_key = wanted.resource_key), tstzmultirange()
    )
) as part on true;

-- name: transfer_released_time(starts_at, ends_at, resource_ids, meeting_id, now, longest)!
-- Inserts the released time of a meeting as occupancy of the reservations made for moving it; where several overlap, of the
-- earliest one.
insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id, expires_at, shared_slot_id, seat)
select
    current_tenant(), resource_key, lower(part), upper(part), slot.time_slot_id, slot.expires_at, slot.shared_slot_id,
    slot.seat
from time_slot as slot
join resource
    on resource.resource_id = any (array[slot.employee_id, slot.room_id] || slot.additional_employees)
        and resource.resource_id = any (:resource_ids::uuid[])
cross join lateral (
    select tstzrange(slot.starts_at, slot.ends_at) * tstzrange(:starts_at, :ends_at) as during
) as wanted
cross join lateral unnest(
    tstzmultirange(wanted.during) - coalesce(
        (
            select range_agg(taken.during)
            from (
                select held.during from occupancy as held
                where held.resource_key = resource.resource_key
                    and held.starts_at < :ends_at and held.ends_at > :starts_at
                    and held.starts_at > :starts_at::timestamptz - :longest::interval
                union all
                select tstzrange(earlier.starts_at, earlier.ends_at)
                from time_slot as earlier
                where earlier.status = 'Reserved' and earlier.expires_at > :now
                    and earlier.existing_meeting_id = :meeting_id
                    and resource.resource_id = any (array[earlier.employee_id, earlier.room_id] || earlier.additional_employees)
                    and (earlier.created_at, earlier.time_slot_id) < (slot.created_at, slot.time_slot_id)
            ) as taken
            where taken.during && wanted.during
        ),
        tstzmultirange()
    )
) as part
where slot.status = 'Reserved' and slot.expires_at > :now and slot.existing_meeting_id = :meeting_id;

-- name: find_slot_of_token_for_update(token)^
select
    time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token, expires_at, renewals,
    existing_meeting_id, also_service_groups, additional_employees, shared_slot_id, seat
from find_reservation(:token);

-- name: find_slot_for_update(time_slot_id)^
-- Locks the row, so that a reservation becomes a meeting only once; foreign keys may still refer to it.
select
    time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token, expires_at, renewals,
    existing_meeting_id, created_at, calendar_unverified, also_service_groups, additional_employees, shared_slot_id,
    seat
from time_slot
where time_slot_id = :time_slot_id
for no key update;

-- name: record_verification(time_slot_id, is_verified)!
update time_slot set calendar_unverified = not :is_verified
where time_slot_id = :time_slot_id and calendar_unverified = :is_verified;

-- name: record_others(time_slot_id, also_service_groups, additional_employees)!
update time_slot
set also_service_groups = :also_service_groups, additional_employees = :additional_employees
where time_slot_id = :time_slot_id;

-- name: list_companions(meeting_id)$
-- The people of service groups who come along to a meeting.
select also_employees from meeting where meeting_id = :meeting_id;

-- name: find_held(time_slot_id)^
select additional_employees, also_service_groups from time_slot where time_slot_id = :time_slot_id;

-- name: delete_slot(time_slot_id)!
delete from time_slot where time_slot_id = :time_slot_id;

-- name: renew_slot(expires_at, shared_slot_id, seat, time_slot_id)!
update time_slot
set expires_at = :expires_at, renewals = renewals + 1, shared_slot_id = :shared_slot_id, seat = :seat
where time_slot_id = :time_slot_id;

-- name: end_reservation(now, time_slot_id)!
-- Ends a reservation as if its time were over, and deletes its occupancy.
with ended as (
    update time_slot set expires_at = :now where time_slot_id = :time_slot_id returning time_slot_id
)
delete from occupancy where time_slot_id in (select time_slot_id from ended);

-- name: add_slot(time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token, expires_at, existing_meeting_id, shared_slot_id, seat, now)!
insert into time_slot (
    tenant_id, time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token, expires_at,
    existing_meeting_id, shared_slot_id, seat, created_at
)
values (
    current_tenant(), :time_slot_id, :starts_at, :ends_at, :employee_id, :room_id, :service_group, :status, :token,
    :expires_at, :existing_meeting_id, :shared_slot_id, :seat, :now
);

-- name: book_slot(starts_at, ends_at, employee_id, room_id, shared_slot_id, seat, time_slot_id)!
update time_slot
set
    status = 'Booked', token = null, expires_at = null, existing_meeting_id = null, starts_at = :starts_at,
    ends_at = :ends_at, employee_id = :employee_id, room_id = :room_id, shared_slot_id = :shared_slot_id, seat = :seat
where time_slot_id = :time_slot_id;

-- name: mark_expired(now, time_slot_id, most)
-- Marks expired reservations, all or one, the earliest first, as those whose end was written down; others that are locked are
-- left to the next time. Returns them.
update time_slot set is_expiry_written = true
where time_slot_id in (
    select time_slot_id from time_slot
    where status = 'Reserved' and not is_expiry_written and expires_at <= :now
        and (:time_slot_id::uuid is null or time_slot_id = :time_slot_id)
    order by expires_at
    limit :most
    for no key update skip locked
)
returning
    time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token, expires_at, renewals,
    existing_meeting_id, also_service_groups, additional_employees, shared_slot_id, seat;

-- name: mark_released(time_slot_id)!
update time_slot set status = 'Released' where time_slot_id = :time_slot_id;
