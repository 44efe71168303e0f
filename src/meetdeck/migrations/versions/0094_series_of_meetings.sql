-- Series of meetings with a customer: each meeting is a row of its own. `series_id` is the id of the first one.

alter table meeting
    add column series_id           uuid,
    add column recurrence          text,       -- the rule of RFC 5545 by which the series was booked
    add column original_start_date timestamptz, -- the start that the rule gave: a calendar's RECURRENCE-ID
    add constraint meeting_series check (num_nonnulls(series_id, recurrence, original_start_date) in (0, 3));
create index meeting_by_series on meeting (tenant_id, series_id, starts_at) where series_id is not null;

-- The SEQUENCE of a meeting's next calendar object: in a series, higher than that of any of its meetings.
create function next_sequence(changed meeting) returns integer language sql stable as $$
    select 1 + greatest(changed.sequence, (select max(other.sequence) from meeting as other where other.series_id = changed.series_id))
$$;

-- A message about several meetings of a series is sent with the message of the first of them.
alter table message add column carried_by uuid;
create index message_carried on message (tenant_id, carried_by) where carried_by is not null;
