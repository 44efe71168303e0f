-- Calendars of employees for other programs: each has an address with a secret in it, of which the hash alone is kept.

create table calendar_feed (
    tenant_id   uuid not null references tenant on delete cascade,
    employee_id uuid not null,
    digest      bytea not null unique check (length(digest) = 32), -- SHA-256
    created_at  timestamptz not null,
    primary key (tenant_id, employee_id),
    foreign key (tenant_id, employee_id) references employee on delete cascade
);
call isolate_by_tenant('calendar_feed');

-- A secret arrives before its tenant is known.
create policy identify on calendar_feed for select to current_user using (true);

create function identify_calendar_feed(secret_digest bytea)
    returns table (tenant_id uuid, employee_id uuid)
    language sql stable security definer set search_path = public
    as $$ select feed.tenant_id, feed.employee_id from calendar_feed as feed where feed.digest = secret_digest $$;
