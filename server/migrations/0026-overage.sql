-- Who suspended a show: the service, for its downloads, or the operator. A new month ends only the
-- former. Until now only operators did.
alter table podcasts add column suspended_for text
  check (suspended_for in ('overage', 'operator'));
update podcasts set suspended_for = 'operator' where status = 'overage_suspended';
alter table podcasts add check ((status = 'overage_suspended') = (suspended_for is not null));

-- The shows that a new month, or a larger plan, may end the suspension of.
create index podcasts_suspended_for_overage on podcasts (id) where suspended_for = 'overage';

-- Accounts that have come near the downloads of their plan in a month, and what was done about it.
create table overages (
  account_id uuid not null references accounts (id) on delete cascade,
  -- Its first day, UTC.
  month date not null,
  -- Emails: once in a month, whatever becomes of the plan. The second includes the first.
  told_near_at timestamptz(3),
  told_reached_at timestamptz(3),
  -- Since when the downloads exceed the present plan; null: they do not.
  exceeded_at timestamptz(3),
  -- When the account's shows were suspended for it.
  suspended_at timestamptz(3),
  primary key (account_id, month),
  check (suspended_at is null or exceeded_at is not null)
);
