-- How long before and after a meeting about a topic its advisor must be free.

alter table meeting_topic
    add column preparation_time interval not null default '0',
    add column follow_up_time interval not null default '0';
