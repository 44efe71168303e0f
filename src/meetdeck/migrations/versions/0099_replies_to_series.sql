-- A reply to a series names it by the id of its first meeting, which retention may delete before the others.

create index meeting_of_series on meeting (series_id) where series_id is not null;

create policy identify_series on meeting for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'message');

create or replace function identify_told_meeting(id uuid) returns uuid
language plpgsql security definer set search_path = public as $$
declare
    found_id uuid;
begin
    perform set_config('meetdeck.identifying', 'message', true);
    select tenant_id into found_id from message where meeting_id = id limit 1;
    if found_id is null then
        select tenant_id into found_id from meeting where series_id = id limit 1;
    end if;
    perform set_config('meetdeck.identifying', '', true);
    return found_id;
end
$$;
