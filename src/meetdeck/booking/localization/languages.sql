-- name: lock_languages()^
-- The organization's languages, which stay so until the transaction ends.
select main_locale as main, enabled_locales as enabled from organization_setting for key share;

-- name: switch_main(old, new)!
-- Makes the new language the main one of all texts but the settings': the plain column holds the main language's text. A text
-- that the new language lacks keeps the old one's there, too.
with topics as (
    update meeting_topic set
        name = coalesce(localized_name ->> :new, name),
        localized_name = switch_main(localized_name, to_jsonb(name), :old, :new),
        description = coalesce(localized_description ->> :new, description),
        localized_description = switch_main(localized_description, to_jsonb(description), :old, :new)
),
locations as (
    update location set
        display_name = coalesce(localized_name ->> :new, display_name),
        localized_name = switch_main(localized_name, to_jsonb(display_name), :old, :new)
),
portals as (
    update portal set
        name = coalesce(localized_name ->> :new, name),
        localized_name = switch_main(localized_name, to_jsonb(name), :old, :new)
)
update portal_field set
    label = coalesce(localized_label ->> :new, label),
    localized_label = switch_main(localized_label, to_jsonb(label), :old, :new),
    placeholder = coalesce(localized_placeholder ->> :new, placeholder),
    localized_placeholder = switch_main(localized_placeholder, to_jsonb(placeholder), :old, :new),
    description = coalesce(localized_description ->> :new, description),
    localized_description = switch_main(localized_description, to_jsonb(description), :old, :new),
    options = case
        when localized_options ? :new then array(select jsonb_array_elements_text(localized_options -> :new)) else options
    end,
    localized_options = switch_main(localized_options, to_jsonb(options), :old, :new),
    default_value = coalesce(localized_options -> :new ->> (array_position(options, default_value) - 1), default_value);
