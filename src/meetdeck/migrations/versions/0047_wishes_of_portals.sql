-- A wish knows the portal whose pages its mails lead to: none, and they lead nowhere.

lock table wish in access exclusive mode;
lock table portal in share row exclusive mode;

alter table wish add column portal_id uuid;
alter table wish add foreign key (tenant_id, portal_id) references portal on delete set null (portal_id);
create index wish_by_portal on wish (tenant_id, portal_id) where portal_id is not null;
