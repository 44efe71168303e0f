-- Texts in several languages: the organization's languages, and texts by language tag beside the main language's.

alter table organization_setting
    add column main_locale text not null default 'en-GB',
    add column enabled_locales text[] not null default '{en-GB}',
    add constraint main_locale_is_enabled check (main_locale = any (enabled_locales)),
    add column localized_ical_meeting_title jsonb not null default '{}',
    add column localized_ical_meeting_description jsonb not null default '{}';

alter table meeting_topic add column localized_name jsonb not null default '{}'; -- without the main language's: `name`
