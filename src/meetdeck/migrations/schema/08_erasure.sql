-- Erasing customers' personal data: on request, with a receipt, and when its time is over.

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
    wishes          integer not null default 0,
    primary key (tenant_id, erasure_id)
);
call isolate_by_tenant('erasure');
revoke update, delete on erasure from meetdeck_app;

-- The keys that the digests in receipts of erasures were made with, before the installation's encryption key was rotated:
-- who was erased cannot be digested anew. Each is encrypted as `cpr` is.
create table erasure_key (
    tenant_id      uuid not null references tenant on delete cascade,
    erasure_key_id uuid not null,
    key_encrypted  bytea not null,
    primary key (tenant_id, erasure_key_id)
);
call isolate_by_tenant('erasure_key');
