-- works with: 0.1.0
-- When the owner of an account that exceeds its plan was told of the day of its suspension.
alter table overages add column warned_at timestamptz;
