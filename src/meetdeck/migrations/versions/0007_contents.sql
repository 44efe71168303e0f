-- Stored files by id, for a while: what callers upload to use later, and what the service generates.

create table content (
    tenant_id    uuid not null references tenant on delete cascade,
    content_id   uuid not null,
    digest       bytea not null check (length(digest) = 32), -- SHA-256; the file is in storage by it
    file_name    text not null check (file_name <> ''),
    content_type text not null,
    size_bytes   bigint not null,
    created_at   timestamptz not null,
    expires_at   timestamptz not null, -- by time, without any sweeper: an expired content is not found
    created_by   uuid not null,
    primary key (tenant_id, content_id)
);
call isolate_by_tenant('content');
create index content_expires_at on content (expires_at);
