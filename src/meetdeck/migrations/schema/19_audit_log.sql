-- Who changed which part of the configuration, template, key or tenant.

-- An entry in the transaction of each change.
create table audit_entry (
    tenant_id     uuid not null references tenant on delete cascade,
    entry_id      bigint generated always as identity,
    changed_at    timestamptz not null,
    action        text not null check (action in ('created', 'changed', 'deleted', 'imported')),
    kind          text not null check (kind <> ''), -- as the address of its resources has it: `service-groups`
    resource_id   text not null, -- empty: none, as of an import
    resource_name text not null,
    user_id       uuid,          -- of the token; null: a command
    operator      text,          -- the account on the machine that ran the command; null: a token
    command       text,
    request_id    text not null,
    changes       jsonb not null default '[]', -- of the members that differ: [{member, before, after}]
    primary key (tenant_id, entry_id),
    check ((user_id is null) = (operator is not null) and (operator is null) = (command is null))
);
create index audit_entry_by_time on audit_entry (tenant_id, changed_at, entry_id);
create index audit_entry_by_resource on audit_entry (tenant_id, resource_id, changed_at, entry_id);
call isolate_by_tenant('audit_entry');
revoke update, delete, truncate on audit_entry from meetdeck_app; -- it is only added to

-- Retention alone deletes, and nothing of the last 30 days, whatever it is told; a part at a time.
create function forget_audit_entries(changed_before timestamptz, most integer) returns bigint
    language sql volatile security definer set search_path = public
begin atomic
    with old as (
        select tenant_id, entry_id from audit_entry
        where tenant_id = current_tenant() and changed_at < least(changed_before, now() - interval '30 days')
        order by changed_at limit most
    ),
    gone as (
        delete from audit_entry using old
        where audit_entry.tenant_id = old.tenant_id and audit_entry.entry_id = old.entry_id returning 1
    )
    select count(*) from gone;
end;
