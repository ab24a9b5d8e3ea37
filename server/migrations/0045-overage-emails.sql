-- The email of 100 % goes out whenever exceeded_at is set: also a larger plan can be exceeded, and its
-- owner must know before the shows are suspended.
alter table overages drop column told_reached_at;
