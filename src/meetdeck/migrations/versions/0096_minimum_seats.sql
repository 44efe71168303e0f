-- A time that too few customers have booked is cancelled by itself (docs/api/group-meetings.md#minimum-seats).

alter table meeting_topic add column minimum_seats integer not null default 1 check (minimum_seats between 1 and 1000);

alter table shared_slot add column decided_at timestamptz; -- when the number of its customers was compared with the minimum

alter table meeting add column cancellation_reason text;

alter table meeting_history drop constraint meeting_history_command_check;
alter table meeting_history
    add constraint meeting_history_command_check
    check (command in ('erase', 'retention', 'messages', 'calendar', 'minimumSeats')) not valid;
