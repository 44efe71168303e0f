-- Deck templates. The files are in storage, by the SHA-256 of their content; a row is written after its file.

create table template (
    tenant_id     uuid not null references tenant on delete cascade,
    template_id   uuid not null,
    name          text not null check (name <> ''),
    customer_type text not null default '',
    owner_id      uuid not null,
    revision      integer not null,
    updated_at    timestamptz not null,
    primary key (tenant_id, template_id),
    unique (tenant_id, name)
);
call isolate_by_tenant('template');

create table template_revision (
    tenant_id   uuid not null,
    template_id uuid not null,
    revision    integer not null,
    digest      bytea not null check (length(digest) = 32),
    size_bytes  bigint not null,
    outline     jsonb not null, -- tags and sections, as SlideTemplateDetails shows them
    findings    jsonb not null, -- warnings and infos of its validation
    created_at  timestamptz not null,
    created_by  uuid not null,
    primary key (tenant_id, template_id, revision),
    foreign key (tenant_id, template_id) references template on delete cascade
);
call isolate_by_tenant('template_revision');
