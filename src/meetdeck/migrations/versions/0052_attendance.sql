-- Whether the customer came to a meeting, once somebody has said so.

alter table meeting add column attendance text check (attendance in ('Attended', 'NoShow'));
