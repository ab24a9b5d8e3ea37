-- What has changed, told once to each consumer: written by the very transaction that changes it.
create table change_events (
  -- In the order of writing; of two changes of one row the later has the higher.
  id bigint generated always as identity primary key,
  -- Its place in what consumers read, given after its commit and without a gap; null until then.
  seq bigint unique,
  kind text not null,
  -- No foreign keys: what is deleted is told of as well.
  podcast_id uuid,
  episode_id uuid,
  user_id uuid,
  previous_user_id uuid,
  account_id uuid,
  -- The user who did it; null: the operator or the service.
  actor_user_id uuid,
  created_at timestamptz(3) not null
);

create index change_events_unnumbered on change_events (id) where seq is null;

-- The one row that whoever numbers events locks.
create table change_head (
  is_head boolean primary key default true check (is_head),
  seq bigint not null
);
insert into change_head (seq) values (0);

-- How far each consumer has come. One is added by the migration that brings it.
create table change_consumers (
  name text primary key,
  seq bigint not null
);
insert into change_consumers (name, seq) values ('notices', 0);

-- Letters to be sent, and for a while those that were.
create table letters (
  id uuid primary key,
  -- What must be told only once: a second letter with the same key is not taken.
  key text unique,
  template text not null,
  -- Blanked when the letter has ended: it may hold a link that opens an account.
  recipient text,
  content jsonb,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'given_up')),
  -- Counted when a sender takes the letter into its hands.
  attempts integer not null default 0,
  -- Not to be taken before. In a sender's hands: how long that one may be believed to be alive.
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  check ((state = 'waiting') = (recipient is not null and content is not null)),
  check ((state = 'waiting') = (ended_at is null))
);

create index letters_due on letters (due_at, id) where state = 'waiting';
create index letters_ended on letters (ended_at) where state <> 'waiting';
