-- The API's requests of the last hour, for the developers of a firm's integrations. They are worth no log of the server:
-- after a crash the table is empty.
create unlogged table recent_request (
    tenant_id           uuid not null references tenant on delete cascade,
    answered_at         timestamptz not null,
    number              bigint not null generated always as identity, -- in this order at one moment
    subscription_key_id uuid not null,
    method              text not null,
    path                text not null, -- without the query
    status              smallint not null,
    ms                  real not null,
    request_id          text not null,
    faults              text[] not null, -- the pointers of a refusal's errors
    primary key (tenant_id, answered_at, number)
);
call isolate_by_tenant('recent_request');
