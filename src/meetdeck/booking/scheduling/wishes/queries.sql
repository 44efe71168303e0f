-- name: list_wishes(wish_ids, statuses, customer_id, now)
-- Some, or all when null, those first that were there first. What became of each follows from its last offer.
select *
from (
    select
        {wish.columns as members}, wish.created_at as date_created,
        case
            when latest.is_booked then 'Booked'
            when latest.is_held then 'Offered'
            when wish.to_at <= :now then 'Ended'
            else 'Waiting'
        end as status,
        case when latest.is_booked or latest.is_held then latest.offer end as offer
    from wish
    left join lateral (
        select
            jsonb_build_object(
                'timeSlotId', offer.time_slot_id, 'startDate', offer.starts_at, 'endDate', offer.ends_at,
                'employeeId', offer.employee_id, 'meetingType', offer.meeting_type, 'expiresAt', offer.expires_at
            ) as offer,
            slot.status in ('Booked', 'Released') as is_booked,
            slot.status = 'Reserved' and slot.expires_at > :now as is_held
        from wish_offer as offer
        left join time_slot as slot on slot.time_slot_id = offer.time_slot_id
        where offer.wish_id = wish.wish_id
        order by offer.offered_at desc
        limit 1
    ) as latest on true
    where (:wish_ids::uuid[] is null or wish.wish_id = any (:wish_ids::uuid[]))
        and (:customer_id::text is null or wish.customer_id = :customer_id)
) as wish
where :statuses::text[] is null or status = any (:statuses::text[])
order by date_created, id;

-- name: lock_wish(wish_id)!
select from wish where wish_id = :wish_id for update;

-- name: add_wish({columns as arguments}, now)!
insert into wish (tenant_id, {columns}, created_at, date_modified)
values (current_tenant(), {columns as parameters}, :now, :now);

-- name: update_wish({columns as arguments}, now)!
update wish set ({columns}) = row({columns as parameters}), date_modified = :now where wish_id = :wish_id;

-- name: delete_wishes(wish_ids)!
delete from wish where wish_id = any (:wish_ids::uuid[]);

-- name: list_wishes_of_customer(customer_id)
select wish_id from wish where customer_id = :customer_id order by wish_id for update;

-- name: list_wishes_over(ended_before, most)
-- Others that are locked are left to the next time.
select wish_id from wish where to_at < :ended_before limit :most for update skip locked;

-- name: list_candidates(freed_time_id, employee_id, starts_at, ends_at, now)
-- The entries that a time may suit, the oldest first: with this employee, or about a topic to whose meetings people of
-- service groups come along; not offered a part of it already. A wish that was left on a portal for anybody, whose address nobody has confirmed, is offered three times a day.
select wish_id
from wish
where from_at < :ends_at and to_at > :starts_at and to_at > :now
    and (
        employee_ids = '{}' or :employee_id = any (employee_ids)
        or exists (select from meeting_topic as topic where topic.topic_id = wish.topic_id and also_service_groups <> '{}')
    )
    and not exists (
        select from wish_offer as offer
        where offer.wish_id = wish.wish_id and offer.freed_time_id = :freed_time_id
    )
    and (
        portal_id is null or customer_id is not null or 3 > (
            select count(*) from wish_offer as recent
            where recent.wish_id = wish.wish_id and recent.offered_at > cast(:now as timestamptz) - interval '1 day'
        )
    )
order by created_at, wish_id;

-- name: list_offered_times(wish_id)
select employee_id, starts_at, ends_at from wish_offer where wish_id = :wish_id;

-- name: find_freed_time(freed_time_id)^
select freed_time_id, employee_id, starts_at, ends_at from freed_time where freed_time_id = :freed_time_id;

-- name: delete_freed_time(freed_time_id)!
delete from freed_time where freed_time_id = :freed_time_id;

-- name: add_offer(time_slot_id, wish_id, freed_time_id, employee_id, starts_at, ends_at, meeting_type, now, expires_at)!
insert into wish_offer (
    tenant_id, time_slot_id, wish_id, freed_time_id, employee_id, starts_at, ends_at, meeting_type, offered_at, expires_at
)
values (
    current_tenant(), :time_slot_id, :wish_id, :freed_time_id, :employee_id, :starts_at, :ends_at, :meeting_type, :now,
    :expires_at
);

-- name: list_held(freed_time_id, now)
-- The parts of a freed time that are on hold for somebody now.
select offer.time_slot_id, offer.starts_at, offer.ends_at, slot.expires_at
from wish_offer as offer
join time_slot as slot on slot.time_slot_id = offer.time_slot_id
where offer.freed_time_id = :freed_time_id and slot.status = 'Reserved' and slot.expires_at > :now;

-- name: list_offers(wish_ids)
-- The reservations that were made for wishes, with their freed times.
select time_slot_id, freed_time_id from wish_offer where wish_id = any (:wish_ids::uuid[]);

-- name: find_wish_of_offer(time_slot_id)$
-- The wish that a reservation was made for.
select wish_id from wish_offer where time_slot_id = :time_slot_id;

-- name: list_offered(time_slot_ids)
-- Those of some reservations that were made for wishes.
select time_slot_id from wish_offer where time_slot_id = any (:time_slot_ids::uuid[]);

-- name: list_changes(meeting_id, happened_at)
-- The changes of a meeting at a moment.
select changes from meeting_history
where meeting_id = :meeting_id and happened_at = :happened_at and action = 'Changed'
order by entry_id;
