-- Messages about changes by staff wait, and a change can be taken back as long as they do.

alter table organization_setting
    add column change_notice_delay interval not null default '1 minute'
    check (change_notice_delay between interval '0' and interval '1 day');

alter table meeting_history
    add column is_undo boolean not null default false; -- takes back the last change before it that was not taken back
