-- Portals: the pages where customers book.

create table portal (
    tenant_id                    uuid not null references tenant on delete cascade,
    portal_id                    uuid not null,
    name                         text not null check (name <> ''),
    location                     text not null default '',
    logo_url                     text not null default '',
    logo_height                  integer,
    styling                      text not null default '',
    authentication_type          text not null check (authentication_type in ('IdentityProvider', 'NationalId', 'Anonymous')),
    customer_type_id             uuid,
    topic_id                     uuid,
    crm_mapping_configuration_id uuid,
    ical_enabled                 boolean not null default true,
    address                      text check (address ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$' and length(address) <= 63),
    languages                    text[] not null default '{en,da}',
    embed_hosts                  text[] not null default '{}', -- whose pages may show it in a frame
    brand_color                  text check (brand_color ~ '^#[0-9A-F]{6}$'),
    -- Whether an Anonymous portal books only once the customer has confirmed the e-mail address.
    confirm_email                boolean not null default false,
    primary key (tenant_id, portal_id),
    foreign key (tenant_id, customer_type_id) references customer_type,
    foreign key (tenant_id, topic_id) references meeting_topic
);
create unique index portal_by_address on portal (address); -- in the whole installation: an address leads to one page
create index portal_by_id on portal (portal_id);
call isolate_by_tenant('portal');

-- Whoever opens a page has no credentials, and so no tenant: a narrow function, run as the owner, says whose the portal is.
-- The policy holds inside it alone: an owner who serves (in test) sees no more portals than the application's role.
create policy identify on portal for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'portal');

create function identify_portal(id uuid, page_address text)
    returns table (tenant_id uuid, portal_id uuid)
    language plpgsql security definer set search_path = public as $$
begin
    perform set_config('meetdeck.identifying', 'portal', true);
    return query
        select portal.tenant_id, portal.portal_id from portal
        where portal.portal_id = id or portal.address = page_address;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

create table portal_field (
    tenant_id       uuid not null,
    portal_field_id uuid not null,
    portal_id       uuid not null,
    position        integer not null,
    name            text not null check (name <> ''),
    label           text not null default '',
    type            text not null check (type in ('Text', 'Phone', 'Email', 'Checkbox', 'Dropdown')),
    placeholder     text not null default '',
    hidden          boolean not null default false,
    required        boolean not null default false,
    pattern         text,
    description     text not null default '',
    "order"         integer not null default 0,
    default_value   text not null default '',
    options         text[] not null default '{}', -- of a Dropdown; none: any line
    primary key (tenant_id, portal_field_id),
    foreign key (tenant_id, portal_id) references portal on delete cascade
);
create index portal_field_by_portal on portal_field (tenant_id, portal_id, position);
call isolate_by_tenant('portal_field');
