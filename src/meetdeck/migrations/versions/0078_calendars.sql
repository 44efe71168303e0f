-- Calendars of employees and rooms that other systems keep, and the times that were read from them. Of an entry, its time
-- and kind alone are kept: no title, place or attendee.

create table calendar (
    tenant_id          uuid not null references tenant on delete cascade,
    calendar_id        uuid not null,
    employee_id        uuid,
    room_id            uuid,
    kind               text not null check (kind in ('Ics', 'CalDav')),
    address            text, -- null: a file was uploaded
    user_name          text,
    password_encrypted bytea,
    etag               text, -- of the last answer that was read, and when it was changed
    changed            text,
    created_at         timestamptz not null,
    read_at            timestamptz, -- last without a problem
    whole_read_at      timestamptz, -- last with its content: the window goes on, though a file stays as it is
    failing_since      timestamptz, -- the first failure since it was read
    failures           integer not null default 0, -- since then
    is_failing_told    boolean not null default false, -- whether an event has told that it fails for long
    problem            text, -- of the last try; with `failing_since` null: of the entries that were left out
    left_out           integer not null default 0, -- entries that cannot be read
    primary key (tenant_id, calendar_id),
    check (num_nonnulls(employee_id, room_id) = 1),
    foreign key (tenant_id, employee_id) references employee on delete cascade,
    foreign key (tenant_id, room_id) references room on delete cascade
);
call isolate_by_tenant('calendar');

-- The calendar that a time was read from; null: it was added here. Deleted with the calendar, by a trigger: a reference to a
-- large table would be checked while others wait.
alter table calendar_entry add column calendar_id uuid;
create index calendar_entry_by_calendar on calendar_entry (tenant_id, calendar_id) where calendar_id is not null;

create function forget_calendar_entries() returns trigger language plpgsql as $$
begin
    delete from calendar_entry where tenant_id = old.tenant_id and calendar_id = old.calendar_id;
    return null;
end
$$;
create trigger forget_calendar_entries after delete on calendar for each row execute function forget_calendar_entries();
