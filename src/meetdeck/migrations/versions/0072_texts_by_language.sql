-- More texts are in several languages: topics' descriptions, names of locations and portals, and the fields of portals. Each
-- holds the texts of other languages than the main one.

alter table meeting_topic add column localized_description jsonb not null default '{}';

alter table location add column localized_name jsonb not null default '{}'; -- of `display_name`

alter table portal add column localized_name jsonb not null default '{}';

alter table portal_field
    add column localized_label jsonb not null default '{}',
    add column localized_placeholder jsonb not null default '{}',
    add column localized_description jsonb not null default '{}',
    add column localized_options jsonb not null default '{}'; -- as many as `options`, in its order

-- The texts of other languages, when another language becomes the main one, whose text has been `main` until now.
create function switch_main(texts jsonb, main jsonb, old text, new text) returns jsonb language sql immutable
    return texts - new || case when main in ('""', '[]') then '{}' else jsonb_build_object(old, main) end;
