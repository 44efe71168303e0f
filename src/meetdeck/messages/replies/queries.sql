-- name: identify_meeting(meeting_id)$
-- The tenant of a meeting about which messages were sent: a mail comes before its tenant is known.
select identify_told_meeting(:meeting_id);

-- name: list_answered(meeting_id, original_start, now)
-- The id of a series is that of its first meeting.
select meeting_id from meeting
where meeting_id = :meeting_id and series_id is null
    or series_id = :meeting_id and case
        when :original_start::timestamptz is null then ends_at > :now and cancelled_at is null
        else original_start_date = :original_start
    end
order by meeting_id;

-- name: find_sequence(meeting_id, address)$
-- The SEQUENCE of the appointment that was sent to an address last; where none was for certain, of one that perhaps was.
select coalesce(
    max(sent_sequence) filter (where status = 'Sent'),
    min(sequence) filter (where is_perhaps_sent or begun_at is not null)
)
from message
where meeting_id = :meeting_id and lower(address) = :address;
