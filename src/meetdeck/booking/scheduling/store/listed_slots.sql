-- name: list_slots(now, time_slot_id, starts_at, ends_at, longest, employee_id, room_id, statuses)
-- Time slots as they are at a moment, by their start: one of them, or those that touch a time. An employee's are also
-- those of the meetings that the employee only takes part in.
select id, employee_id, start_time, end_time, status in ('Expired', 'Released') as available, room_id, status, service_group,
    expires_at
from (
    select
        time_slot_id as id, employee_id, starts_at as start_time, ends_at as end_time, room_id, service_group, expires_at,
        case when status = 'Reserved' and expires_at <= :now then 'Expired' else status end as status
    from time_slot
    where (:time_slot_id::uuid is null or time_slot_id = :time_slot_id)
        and (:starts_at::timestamptz is null or (ends_at > :starts_at and starts_at > :starts_at - :longest::interval))
        and (:ends_at::timestamptz is null or starts_at < :ends_at)
        and (
            :employee_id::uuid is null
            or employee_id = :employee_id
            or time_slot_id in (
                select meeting.time_slot_id
                from meeting_additional_employee as additional
                join meeting using (tenant_id, meeting_id)
                where additional.employee_id = :employee_id
            )
        )
        and (:room_id::uuid is null or room_id = :room_id)
) as slot
where :statuses::text[] is null or status = any (:statuses::text[])
order by start_time, id;
