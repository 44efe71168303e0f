-- An attachment whose creation was not answered is found by its name, of which a digest is kept.

alter table calendar_event_file add column name_digest bytea;
