-- Who is at what work, so that another process waits for it and does not do it too. A lease whose time is over is none.

create table lease (
    tenant_id  uuid not null references tenant on delete cascade,
    name       text not null check (name <> ''),
    holder     uuid not null,
    expires_at timestamptz not null, -- by the database's clock: holders need not agree on the time
    primary key (tenant_id, name)
);
call isolate_by_tenant('lease');
