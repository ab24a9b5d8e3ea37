-- works with: 0.1.0
-- Where the last daily backup was made. If that place is empty later, its disk may not be mounted.
alter table last_backup add column daily_place text;
