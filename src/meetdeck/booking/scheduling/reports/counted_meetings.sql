-- The meetings of a report: those that begin between the first and the last of some bounds, and those that were booked between
-- them, each with its key. It begins the queries that count and list them.
with dated as (
    select meeting.*, starts_at as counted_at, true as begins
    from meeting
    where starts_at >= (:bounds::timestamptz[])[1]
        and starts_at < (:bounds::timestamptz[])[cardinality(:bounds::timestamptz[])]
    union all
    select meeting.*, date_created, false
    from meeting
    where date_modified >= (:bounds::timestamptz[])[1] -- never before it was created, and has an index
        and date_created >= (:bounds::timestamptz[])[1]
        and date_created < (:bounds::timestamptz[])[cardinality(:bounds::timestamptz[])]
),

counted as (
    select
        begins,
        begins and cancelled_at is null as is_on,
        -- Of those that share a time of their advisor, the first alone.
        begins and cancelled_at is null and (
            shared_slot_id is null or not exists (
                select from meeting as other
                where other.shared_slot_id = meeting.shared_slot_id and other.cancelled_at is null
                    and other.meeting_id < meeting.meeting_id
            )
        ) as takes_time,
        meeting_id, title, starts_at, ends_at, employee_id, customer_id, external_attendees, cancelled_at,
        attendance,
        time_sequence > 0 as is_moved,
        booked_by,
        ends_at - starts_at as length,
        greatest(starts_at - date_created, interval '0') as lead_time,
        case :grouping::text
            when 'topic' then coalesce(topic_id::text, '')
            when 'employee' then employee_id::text
            when 'type' then type
            when 'location' then lower(place)
            else width_bucket(counted_at, :bounds::timestamptz[])::text
        end as key,
        place
    from dated as meeting
    cross join lateral (
        select case when :grouping::text = 'location' then trim(coalesce(
            (select location from room where room.room_id = meeting.room_id),
            (select location from deletion where kind = 'room' and deleted_id = meeting.room_id),
            (select location from employee where employee.employee_id = meeting.employee_id),
            (select location from deletion where kind = 'employee' and deleted_id = meeting.employee_id),
            ''
        )) end as place
        offset 0 -- computed once
    ) as held
)
