-- Accounts that came near the downloads of their plan in a month, and what was done about it
-- (docs/decisions/0041).
create table overages (
  account_id uuid not null references accounts (id) on delete cascade,
  -- Its first day, UTC.
  month date not null,
  -- When the email of 80 % was sent: once in a month, even if the plan changes.
  told_near_at timestamptz(3),
  -- Since when the downloads exceed the current plan; null: they do not. Each time it is set, an email is
  -- sent: a larger plan can be exceeded, too, and its owner must know before the shows are suspended.
  exceeded_at timestamptz(3),
  -- When the account's shows were suspended for it.
  suspended_at timestamptz(3),
  primary key (account_id, month),
  check (suspended_at is null or exceeded_at is not null)
);
