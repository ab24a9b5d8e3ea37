-- works with: 0.1.0
-- Webhooks: URLs of a show's team that are told of its changes. docs/decisions/0061 explains how changes are
-- found, and the queue.

-- What the webhooks of a show have been told, for every show that has any. Its row is locked while changes are
-- found, and while webhooks are created.
create table webhook_shows (
  podcast_id uuid primary key references podcasts (id) on delete cascade,
  -- When the first of its webhooks was created: what changed before is told nobody.
  begun_at timestamptz(3) not null,
  -- Of the show as the public sees it; null: not known.
  hash bytea,
  -- Everything is to be compared, because changes may have been missed: a backup was restored.
  is_stale boolean not null default false
);
create index webhook_shows_to_compare on webhook_shows (podcast_id) where is_stale or hash is null;

-- The episodes that webhooks believe to be public.
create table webhook_episodes (
  podcast_id uuid not null references webhook_shows (podcast_id) on delete cascade,
  -- Not a foreign key: webhooks are told when it is gone.
  episode_id uuid not null,
  -- Of the episode without what it takes from its show; null: not known.
  hash bytea,
  -- It has changed while the public could not see the show.
  is_stale boolean not null default false,
  primary key (podcast_id, episode_id)
);
create index webhook_episodes_to_hash on webhook_episodes (podcast_id, episode_id) where hash is null and not is_stale;

create table webhooks (
  id uuid primary key,
  podcast_id uuid not null references webhook_shows (podcast_id) on delete cascade,
  -- A show has as many webhooks as there are places.
  place smallint not null check (place between 1 and 10),
  url text not null check (length(url) <= 2048),
  -- Of the URL, with its port. The sender limits requests to it.
  host text not null,
  types text[] not null check (cardinality(types) > 0 and types <@ array[
    'episode.published', 'episode.updated', 'episode.unpublished', 'show.updated', 'import.finished']),
  -- Signs deliveries. Readable, because an HMAC needs the secret itself.
  secret text not null,
  -- The secret before, which also signs until its time.
  previous_secret text,
  previous_until timestamptz(3),
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null,
  -- Why it gets nothing; null: it is on.
  off_reason text check (off_reason in ('user', 'failing', 'ownership')),
  off_at timestamptz(3),

  -- The queue. When something is to be sent; null: nothing is.
  due_at timestamptz(3),
  -- The worker that is sending, and until when no other may.
  claim uuid,
  claimed_until timestamptz(3),
  -- Since when every delivery has failed.
  failing_since timestamptz(3),
  unique (podcast_id, place),
  check ((previous_secret is null) = (previous_until is null)),
  check ((off_reason is null) = (off_at is null)),
  check ((claim is null) = (claimed_until is null))
);
create index webhooks_of_creator on webhooks (created_by) where created_by is not null;
-- Those that fail have a queue of their own, so that they do not delay others.
create index webhooks_due on webhooks (due_at) where due_at is not null and failing_since is null;
create index webhooks_to_retry on webhooks (due_at) where due_at is not null and failing_since is not null;
create index webhooks_claimed on webhooks (claimed_until) where claimed_until is not null;

create table webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null references webhooks (id) on delete cascade,
  -- The order of deliveries.
  seq bigint generated always as identity,
  type text not null,
  -- The episode, or the podcast of what concerns no episode, or the delivery itself: those of one subject are
  -- sent one after the other.
  subject_id uuid not null,
  episode_id uuid,
  created_at timestamptz(3) not null,
  -- waiting: to be sent, for the first time or again. dropped: the public cannot see any more what it was about.
  -- cancelled: the webhook was switched off.
  state text not null default 'waiting'
    check (state in ('waiting', 'delivered', 'failed', 'dropped', 'cancelled')),
  -- Not before this; null: not waiting.
  due_at timestamptz(3),
  -- Since it was created, or since someone asked for it to be sent again.
  attempts integer not null default 0,
  first_tried_at timestamptz(3),
  tried_at timestamptz(3),
  -- What the last attempt gave.
  status smallint,
  error text,
  response text,
  duration_ms integer,
  check ((state = 'waiting') = (due_at is not null))
);
-- The list, newest first, and the next ones to send.
create unique index webhook_deliveries_in_order on webhook_deliveries (webhook_id, seq);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, seq) where state = 'waiting';
-- Whether an earlier one of the same subject waits.
create index webhook_deliveries_of_subject on webhook_deliveries (webhook_id, subject_id, seq) where state = 'waiting';
-- Changes that follow each other before a request leaves are one delivery.
create unique index webhook_deliveries_untried on webhook_deliveries (webhook_id, subject_id, type)
  where state = 'waiting' and attempts = 0 and type in ('episode.updated', 'show.updated');
-- Those that are old enough to be deleted.
create index webhook_deliveries_ended on webhook_deliveries (created_at) where state <> 'waiting';

insert into change_consumers (name, seq) select 'webhooks', seq from change_head;
