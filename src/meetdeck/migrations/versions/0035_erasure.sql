-- Erasing customers' personal data: on request, with a receipt, and when its time is over.

-- Null again as soon as something is written that may be personal.
alter table meeting add column erased_at timestamptz;
create index meeting_to_erase on meeting (tenant_id, ends_at) where erased_at is null and cancelled_at is null;

-- A command has no user.
alter table meeting_history
    alter column user_id drop not null,
    add column command text check (command in ('erase', 'retention')),
    drop constraint meeting_history_action_check,
    add constraint meeting_history_action_check check (action in ('Created', 'Changed', 'Cancelled', 'Erased')),
    add check (num_nonnulls(user_id, command) = 1);

-- Who looks for a customer that meetings had once, and have no more.
create index meeting_history_of_customers on meeting_history (tenant_id, meeting_id)
    where changes @> '[{"member": "customerId"}]';

-- The application may not change history. This much it may: take the values of some members out of it, and say so in it. It
-- returns how many entries lost something.
create function erase_history(of_meetings uuid[], members text[], erased_at timestamptz, by_command text) returns integer
language plpgsql security definer set search_path = public as $$
declare
    entries integer;
begin
    update meeting_history as entry
    set changes = (
        select jsonb_agg(
            case
                when change ->> 'member' = any (members)
                then change || '{"before": null, "after": null}'
                else change
            end
            order by position
        )
        from jsonb_array_elements(entry.changes) with ordinality as each (change, position)
    )
    where entry.meeting_id = any (of_meetings)
        and exists (
            select from jsonb_array_elements(entry.changes) as change
            where change ->> 'member' = any (members)
                and (change -> 'before' <> 'null' or change -> 'after' <> 'null')
        );
    get diagnostics entries = row_count;

    insert into meeting_history (tenant_id, meeting_id, happened_at, action, command)
    select current_tenant(), meeting_id, erase_history.erased_at, 'Erased', by_command
    from unnest(of_meetings) as each (meeting_id);
    return entries;
end
$$;

-- Receipts: that a customer was erased, when, and how much. Only added to.
create table erasure (
    tenant_id       uuid not null references tenant on delete cascade,
    erasure_id      uuid not null,
    erased_at       timestamptz not null,
    customer_digest bytea not null check (length(customer_digest) = 32), -- HMAC-SHA-256, with the installation's key
    meetings        integer not null,
    cancelled       integer not null, -- of the meetings, those that were still to come
    history_entries integer not null,
    answers         integer not null,
    contents        integer not null,
    primary key (tenant_id, erasure_id)
);
call isolate_by_tenant('erasure');
revoke update, delete on erasure from meetdeck_app;

-- How long personal data is kept; null: as the settings say. `cpr` never longer than the rest.
alter table tenant
    add column retention_days integer check (retention_days between 0 and 36500),
    add column cpr_retention_days integer check (cpr_retention_days between 0 and 36500),
    add column erases_meetings boolean not null default true; -- false: personal data of meetings that took place stays

-- Nothing is erased that was not before: of tenants that there are already, `cpr` goes with the rest, and what meetings that
-- took place say of customers stays until somebody decides.
alter table tenant no force row level security;
update tenant set cpr_retention_days = 36500, erases_meetings = false;
alter table tenant force row level security;
