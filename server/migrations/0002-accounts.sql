-- Each user owns one account. Plan and plan state belong to the account, not to the person.

create table accounts (
  id uuid primary key,
  plan text not null,
  plan_state text not null default 'active' check (plan_state in ('active', 'lapsed')),
  -- When the owner was emailed that the storage is nearly used up; null: it is not, or nobody was.
  told_storage_at timestamptz(3),
  created_at timestamptz(3) not null
);

create table users (
  id uuid primary key,
  account_id uuid not null unique references accounts (id),
  email text not null check (length(email) between 3 and 254),
  name text not null check (length(name) between 1 and 200),
  password_hash text not null,
  -- The TERMS_VERSION that this user accepted last; null: none so far.
  accepted_terms text,
  -- Of emails, pages without scripts and the app; null: none yet, so that of the browser.
  language text check (language in ('en', 'de', 'es', 'fr', 'ja', 'ar')),
  created_at timestamptz(3) not null
);
-- 'Ana@' and 'ana@' are one person.
create unique index users_email on users (lower(email));
-- The list of all users, oldest first.
create index users_in_order on users (created_at, id);

-- How many attempts of a kind were made in the current window. A bucket is an HMAC of what is limited (a
-- network, an email address, or both), so no row says whose it is.
create table attempts (
  bucket bytea primary key,
  count integer not null check (count >= 0),
  window_ends_at timestamptz(3) not null
);
create index attempts_by_end on attempts (window_ends_at);

-- Accounts take turns in the queues of slow work: the account whose last turn was the longest ago is next.
-- A row stays when nothing waits, so that returning is no advantage.
create table account_turns (
  account_id uuid not null references accounts (id) on delete cascade,
  -- Imports have a queue for their first turn and one for later turns.
  queue text not null check (
    queue in ('waveforms', 'replacements', 'first-imports', 'later-imports')
  ),
  -- Counted over all queues; a later turn has a higher number.
  turn bigserial not null,
  primary key (account_id, queue)
);
