-- Pages for customers show the organization's telephone number, and link to its privacy notice.

alter table organization_setting
    add column phone text not null default '',
    add column privacy_url text not null default '';
