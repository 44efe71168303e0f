-- name: identify_meeting(meeting_id)$
-- The tenant of a meeting about which messages were sent: a mail comes before its tenant is known.
select identify_told_meeting(:meeting_id);

-- name: find_sequence(meeting_id, address)$
-- The SEQUENCE of the appointment that was sent to an address last.
select max(sent_sequence) from message
where meeting_id = :meeting_id and lower(address) = :address and status = 'Sent';
