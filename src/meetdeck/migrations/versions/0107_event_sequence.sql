-- A restore and an import advance the sequences that belong to columns. The one of events belonged to none, so that after a
-- restore the events of a subject began to count anew, and receivers took them for older ones.
alter sequence event_sequence owned by event.sequence;
