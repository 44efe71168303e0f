-- A meeting has a language, in which its messages, manage page and calendar file are written. Meetings of before have none:
-- they speak the organization's main language.

alter table meeting add column language text;

create function main_locale() returns text language sql stable
    return coalesce((select main_locale from organization_setting), 'en-GB');
