-- What the search goes by, second part: in which order advisors are chosen, what service groups offer, and lead time.

alter table organization_setting
    add column working_time_buffer interval not null default '0',
    add column advisor_priority jsonb not null default
        '[{"kind": "Explicit", "label": null, "description": ""},
          {"kind": "Local", "label": null, "description": ""},
          {"kind": "ServiceGroup", "label": null, "description": ""}]';

-- Null: the level says nothing.
alter table service_group
    add column level_meeting_types text[],
    add column level_locations text[];
