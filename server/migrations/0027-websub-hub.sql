-- works with: 0.1.0
-- Our own WebSub hub: who gets a feed when it has changed. docs/decisions/0059.

create table hub_subscriptions (
  -- The show, not one of its URLs.
  podcast_id uuid not null references podcasts (id) on delete cascade,
  -- SHA-256 of the callback, which may be long.
  callback_hash bytea not null check (length(callback_hash) = 32),
  callback text not null,
  -- The callback's host name, without port and final dot.
  host text not null,
  -- Signs deliveries. Readable, because an HMAC needs the secret itself.
  secret text check (octet_length(secret) < 200),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,

  -- When to deliver; null: the subscriber has the newest feed, or there is no retry.
  due_at timestamptz(3),
  -- The last delivery, also if it failed.
  sent_at timestamptz(3),
  -- Of the feed that was delivered last, and when.
  digest bytea,
  told_at timestamptz(3),
  -- Since the last success.
  failures integer not null default 0,
  first_failed_at timestamptz(3),
  last_status integer,
  last_error text,
  claim uuid,
  claimed_until timestamptz(3),
  primary key (podcast_id, callback_hash),
  check ((claim is null) = (claimed_until is null))
);
create index hub_subscriptions_due on hub_subscriptions (due_at) where due_at is not null and failures = 0;
create index hub_subscriptions_to_retry on hub_subscriptions (due_at) where due_at is not null and failures > 0;
create index hub_subscriptions_claimed on hub_subscriptions (claimed_until) where claimed_until is not null;
create index hub_subscriptions_of_host on hub_subscriptions (host, expires_at);
create index hub_subscriptions_expired on hub_subscriptions (expires_at);

-- What the callbacks have yet to confirm, and for a while what they were asked. The newest request of a
-- callback about a show replaces the one before.
create table hub_requests (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  callback_hash bytea not null check (length(callback_hash) = 32),
  callback text not null,
  host text not null,
  mode text not null check (mode in ('subscribe', 'unsubscribe')),
  -- As given in the request.
  topic text not null,
  secret text check (octet_length(secret) < 200),
  lease_seconds integer not null,
  -- When to ask the callback; null: it was asked.
  due_at timestamptz(3),
  asked_at timestamptz(3),
  claim uuid,
  claimed_until timestamptz(3),
  primary key (podcast_id, callback_hash),
  check ((claim is null) = (claimed_until is null))
);
create index hub_requests_due on hub_requests (due_at) where due_at is not null;
create index hub_requests_claimed on hub_requests (claimed_until) where claimed_until is not null;
create index hub_requests_asked on hub_requests (asked_at) where due_at is null;

-- When each host may be asked next. Anybody can have any host asked, so it isn't asked often.
create table hub_hosts (
  host text primary key,
  next_at timestamptz(3) not null
);
create index hub_hosts_passed on hub_hosts (next_at);
