-- Pages of portals: their addresses, languages, hosts and color.

alter table portal
    add column address text check (address ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$' and length(address) <= 63),
    add column languages text[] not null default '{en,da}',
    add column embed_hosts text[] not null default '{}',
    add column brand_color text check (brand_color ~ '^#[0-9A-F]{6}$'),
    drop constraint portal_authentication_type_check,
    add check (authentication_type in ('IdentityProvider', 'NationalId', 'Anonymous'));

create unique index portal_by_address on portal (address); -- in the whole installation: an address leads to one page
create index portal_by_id on portal (portal_id);

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
