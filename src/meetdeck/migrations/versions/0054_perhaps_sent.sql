-- Attempts that nobody confirmed: the message may have arrived (docs/decisions/0144).

-- `begun_at` is committed before an attempt and null after it: one whose process was killed keeps it.
-- `is_perhaps_sent`: an attempt before the present one ended without an answer.
alter table message
    add column begun_at timestamptz,
    add column is_perhaps_sent boolean not null default false;
alter table reminder
    add column begun_at timestamptz,
    add column is_perhaps_sent boolean not null default false;
alter table notice
    add column begun_at timestamptz,
    add column is_perhaps_sent boolean not null default false;

-- Of an entry about a message. The action stays `MessageNotSent` here, which the previous release can read.
alter table meeting_history add column is_perhaps_sent boolean not null default false;
