-- Each row names its own file in storage, under a key that is never chosen again: a file without a row is needed by nobody.
-- Until now the key was made of the content, and rows with the same content shared a file.

alter table template_revision add column file_key text;
alter table content add column file_key text;

-- These are rows of all tenants, and forced row-level security holds the owner, too, to one.
alter table template_revision no force row level security;
alter table content no force row level security;
update template_revision set file_key = format('%s/%s/%s', tenant_id, left(encode(digest, 'hex'), 2), encode(digest, 'hex'));
update content set file_key = format('%s/%s/%s', tenant_id, left(encode(digest, 'hex'), 2), encode(digest, 'hex'));
alter table template_revision force row level security;
alter table content force row level security;

alter table template_revision alter column file_key set not null;
alter table content alter column file_key set not null;

-- By which the sweeper asks; not unique, because of the rows that share.
create index template_revision_file_key on template_revision (tenant_id, file_key);
create index content_file_key on content (tenant_id, file_key);
