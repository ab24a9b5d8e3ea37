-- works with: 0.1.0
-- Which feeds have changed, and who was told. docs/decisions/0058 explains both queues.

-- The feed of each show as it was compared last, and the shows whose feeds may have changed since.
create table feed_states (
  podcast_id uuid primary key references podcasts (id) on delete cascade,
  -- Of what the public gets at the feed's URL; null: nothing, or it was not compared yet.
  digest bytea check (length(digest) = 32),
  -- Since when the digest is this one.
  changed_at timestamptz(3),
  -- When to compare it; null: nothing has changed since.
  due_at timestamptz(3),
  claim uuid,
  claimed_until timestamptz(3),
  check ((claim is null) = (claimed_until is null))
);
create index feed_states_due on feed_states (due_at) where due_at is not null;
create index feed_states_claimed on feed_states (claimed_until) where claimed_until is not null;

-- What each channel was told of a show, and what it is to be told.
create table feed_notifications (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  -- podcast_index, podping, or the URL of a hub.
  channel text not null,
  -- When to tell it; null: it knows the newest feed, or there is no retry.
  due_at timestamptz(3),
  -- The last request, also if it failed.
  sent_at timestamptz(3),
  -- Of the feed that the channel was told of last, and when.
  digest bytea,
  told_at timestamptz(3),
  -- Since the last success.
  failures integer not null default 0,
  first_failed_at timestamptz(3),
  -- Of the last response; null: there was none.
  last_status integer,
  last_error text,
  claim uuid,
  claimed_until timestamptz(3),
  primary key (podcast_id, channel),
  check ((claim is null) = (claimed_until is null))
);
-- Channels that failed have a lane of their own, so that they do not delay others.
create index feed_notifications_due on feed_notifications (due_at) where due_at is not null and failures = 0;
create index feed_notifications_to_retry on feed_notifications (due_at) where due_at is not null and failures > 0;
create index feed_notifications_claimed on feed_notifications (claimed_until) where claimed_until is not null;

-- It begins with what changes from now on.
insert into change_consumers (name, seq) select 'feed-notifications', seq from change_head;
insert into publication_clocks (consumer, published_until) values ('feed-notifications', now());
