-- Off: an organization turns it on.
alter table organization_setting add column customers_book_only_offered boolean not null default false;

-- Of meetings that there are already nobody knows: their rooms count as named.
alter table meeting add column is_room_given boolean not null default false;
