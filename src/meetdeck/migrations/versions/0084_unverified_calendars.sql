-- Whether a time was held or booked without asking a calendar that should have been asked: its service did not answer in time.

alter table time_slot add column calendar_unverified boolean not null default false;
alter table meeting add column calendar_unverified boolean; -- null: it was asked, or nobody has one
