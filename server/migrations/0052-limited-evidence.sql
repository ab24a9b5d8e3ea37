-- Counting keeps a limited number of rows for one address. docs/decisions/0138 explains the limits.

-- A hash of the client's network (an IPv4 address, or the /64 of an IPv6 address) with the secret that
-- hashed the listener. Null: an earlier version received the request.
alter table download_requests add column address_hash bigint;
alter table download_listeners add column address_hash bigint;

-- Serves the question how many listeners of an episode have an address. A hash index has one column,
-- and takes a fraction of the time of one in order.
create index download_listeners_by_address on download_listeners
  using hash (uuid_hash_extended(episode_id, address_hash));

-- Requests of open days of which only the number is known.
create table download_request_sums (
  day date not null,
  podcast_id uuid not null references podcasts on delete cascade,
  episode_id uuid not null,
  -- As in download_requests; null: they may count, and what was received is in download_listeners.
  rejected text,
  requests bigint not null check (requests > 0),
  unique nulls not distinct (episode_id, day, rejected)
);
create index download_request_sums_by_podcast on download_request_sums (podcast_id, day);
