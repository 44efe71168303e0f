-- name: find_slot(now, time_slot_id)^
-- A time slot as it is at a moment.
select
    id, employee_id, start_time, end_time, status not in ('Reserved', 'Booked', 'Busy') as available, room_id, status,
    service_group, expires_at, start_date, end_date, series_id, recurrence, source, additional_employees
from (
    select
        time_slot_id as id, employee_id, starts_at as start_time, ends_at as end_time, room_id, service_group, expires_at,
        case when status = 'Reserved' and expires_at <= :now then 'Expired' else status end as status,
        null as start_date, null as end_date, null::uuid as series_id, null as recurrence, null as source,
        case when status = 'Reserved' then additional_employees end as additional_employees
    from time_slot
    where time_slot_id = :time_slot_id
    union all
    select
        time_slot_id, employee_id, starts_at, ends_at, room_id, null, null, status, starts_at, ends_at, series_id, recurrence,
        case when calendar_id is not null then 'calendar' end, null
    from calendar_entry
    where time_slot_id = :time_slot_id
) as slot;

-- name: write_slots(now, ends_after, starts_before, longest, longest_entry, short_entry, employee_ids, room_ids, location, series_id, statuses, source, with_entries, after_start, after_id, most)
-- The time slots that overlap a time as JSON, with their status at a moment, by start: all, or `most` of those after a
-- position in the list. An employee's include those of meetings with the employee as an additional one. Calendar entries
-- are read in two parts (migration 0024), and only when their statuses are among those asked for.
select starts_at, time_slot_id as id, convert_to(slot_as_json, 'UTF8') as item
from (
    select *
    from (
        select
            time_slot_id, employee_id, starts_at, ends_at, room_id, service_group, expires_at,
            case when status = 'Reserved' and expires_at <= :now then 'Expired' else status end as status,
            false as is_entry, null::uuid as series_id, null as recurrence, null as source,
            case when status = 'Reserved' and additional_employees <> '{}' then additional_employees end
                as additional_employees
        from time_slot
        where ends_at > :ends_after and starts_at > :ends_after::timestamptz - :longest::interval
            and starts_at < :starts_before
            and (
                :employee_ids::uuid[] is null
                or time_slot_id = any (
                    array(
                        select own.time_slot_id from time_slot as own
                        where own.employee_id = any (:employee_ids) and own.starts_at < :starts_before
                            and own.starts_at > :ends_after::timestamptz - :longest::interval
                        union all
                        select held.time_slot_id from time_slot as held
                        where held.additional_employees <> '{}' and held.additional_employees && :employee_ids
                            and held.status = 'Reserved' and held.starts_at < :starts_before
                            and held.starts_at > :ends_after::timestamptz - :longest::interval
                        union all
                        select (
                            select meeting.time_slot_id from meeting where meeting.meeting_id = additional.meeting_id
                        )
                        from meeting_additional_employee as additional
                        where additional.employee_id = any (:employee_ids)
                    )
                )
            )
            and (:room_ids::uuid[] is null or room_id = any (:room_ids))
            and (:after_start::timestamptz is null or (starts_at, time_slot_id) > (:after_start, :after_id::uuid))
        union all
        select
            time_slot_id, employee_id, starts_at, ends_at, room_id, null, null, status, true, series_id, recurrence,
            case when calendar_id is not null then 'calendar' end, null
        from calendar_entry
        where :with_entries and not is_long
            and ends_at > :ends_after and starts_at > :ends_after::timestamptz - :short_entry::interval
            and starts_at < :starts_before
            and (:employee_ids::uuid[] is null or employee_id = any (:employee_ids))
            and (:room_ids::uuid[] is null or room_id = any (:room_ids))
            and (:after_start::timestamptz is null or (starts_at, time_slot_id) > (:after_start, :after_id::uuid))
        union all
        select
            time_slot_id, employee_id, starts_at, ends_at, room_id, null, null, status, true, series_id, recurrence,
            case when calendar_id is not null then 'calendar' end, null
        from calendar_entry
        where :with_entries and is_long
            and ends_at > :ends_after and starts_at > :ends_after::timestamptz - :longest_entry::interval
            and starts_at < :starts_before
            and (:employee_ids::uuid[] is null or employee_id = any (:employee_ids))
            and (:room_ids::uuid[] is null or room_id = any (:room_ids))
            and (:after_start::timestamptz is null or (starts_at, time_slot_id) > (:after_start, :after_id::uuid))
    ) as slot
    where status = any (:statuses::text[])
        and (:series_id::uuid is null or series_id = :series_id)
        and (:source::text is null or coalesce(source, 'api') = :source)
        and (
            :location::text is null
            or coalesce(employee_id, room_id) = any (
                array(
                    select there.employee_id from employee as there
                    where lower(btrim(there.location)) = lower(btrim(:location))
                    union all
                    select there.room_id from room as there where lower(btrim(there.location)) = lower(btrim(:location))
                )
            )
        )
    order by starts_at, time_slot_id
    limit :most
) as slot;
