"""Compares the occupied time in the database with the time that should be occupied."""

WRONGLY_HELD_BY_MEETINGS = """
with due as (
    select distinct time_slot_id, starts_at, ends_at, unnest(
        array_remove(array[employee_id, room_id], null)
        || array(select employee_id from meeting_additional_employee as more where more.meeting_id = meeting.meeting_id)
    ) as resource_id
    from meeting where cancelled_at is null and starts_at >= $1
),
held as (
    select time_slot_id, occupancy.starts_at, occupancy.ends_at, resource_id
    from occupancy join resource using (tenant_id, resource_key)
    where expires_at is null and occupancy.starts_at >= $1
)
select count(*) from ((table due except all table held) union all (table held except all table due)) as difference
"""
"""The number of differences between what meetings take from a moment on, and what their slots hold."""
