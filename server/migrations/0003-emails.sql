-- Emails to send and, for a while, those that were sent.
create table emails (
  id uuid primary key,
  -- Of an email that must be sent only once: a second one with the same key is not queued.
  key text unique,
  template text not null,
  -- Cleared at the end: the content may include a link that opens an account.
  recipient text,
  content jsonb,
  -- Chosen when the email is queued.
  language text not null check (language in ('en', 'de', 'es', 'fr', 'ja', 'ar')),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'given_up')),
  -- Counted when a sender claims the email.
  attempts integer not null default 0,
  -- Not to be claimed before then. While a sender has it: when that sender is presumed dead.
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  check ((state = 'waiting') = (recipient is not null and content is not null)),
  check ((state = 'waiting') = (ended_at is null))
);
create index emails_due on emails (due_at, id) where state = 'waiting';
create index emails_ended on emails (ended_at) where state <> 'waiting';

-- Which emails a user does not want. A user without a row wants all of them.
create table email_choices (
  user_id uuid primary key references users (id) on delete cascade,
  -- Ids from the list in code; an id that is no longer in the list has no effect.
  unwanted text[] not null,
  updated_at timestamptz(3) not null
);
