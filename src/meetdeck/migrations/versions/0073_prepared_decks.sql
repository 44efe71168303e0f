-- Of what a deck was made that somebody prepared for a meeting. Its files are documents of the meeting, of no rule
-- (document_rule_id is all zeros); the choice outlives them, for the next deck of the customer or topic.

create table prepared_deck (
    tenant_id  uuid not null,
    meeting_id uuid not null,
    template   text not null, -- its name
    slides     text[] not null,
    data       jsonb not null, -- as it was typed
    is_sent    boolean not null, -- whether the customer's messages link to it
    made_at    timestamptz not null,
    user_name  text, -- of whoever made it
    primary key (tenant_id, meeting_id),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade
);
call isolate_by_tenant('prepared_deck');

create function forget_prepared_decks() returns trigger language plpgsql as $$
begin
    delete from prepared_deck where tenant_id = new.tenant_id and meeting_id = new.meeting_id;
    return null;
end
$$;
create trigger forget_prepared_decks after update of erased_at on meeting
    for each row when (new.erased_at is not null) execute function forget_prepared_decks();
