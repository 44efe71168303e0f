-- name: lock_languages()^
-- The organization's languages, which stay so until the transaction ends.
select main_locale as main, enabled_locales as enabled from organization_setting for key share;

-- name: switch_main_of_topics(old, new)!
-- The plain column holds the main language's text. What has no text in the new one keeps the old one's there, too.
update meeting_topic set
    name = coalesce(localized_name ->> :new, name),
    localized_name = jsonb_build_object(:old::text, name) || (localized_name - :new::text);
