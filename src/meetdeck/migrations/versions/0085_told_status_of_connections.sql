-- The status of a connection that the last event told, so that each change is told once.

alter table calendar_connection add column told_status text not null default 'Waiting'
    check (told_status in ('Waiting', 'Ok', 'Failing', 'OutOfScope'));
