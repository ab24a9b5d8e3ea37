-- Since when this log is to be followed, whether it could be read or not. Rotated files that were last
-- written before are left alone. Null: an earlier version followed it.
alter table followed_logs add column first_held_at timestamptz;
