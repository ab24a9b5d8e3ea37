-- Connected sites: approvals, sites, the change feed of each, posts and pings. docs/decisions/0045 explains
-- the feed and the queue of pings.

-- Approved connections that wait for the exchange of their one-time code.
create table site_codes (
  -- SHA-256 of the code.
  hash bytea primary key check (length(hash) = 32),
  -- SHA-256 of the user's password hash at the approval: a new password invalidates the code.
  password_tag bytea not null check (length(password_tag) = 32),
  user_id uuid not null references users (id) on delete cascade,
  site_url text not null,
  rest_root text not null,
  admin_url text,
  site_name text,
  podcast_ids uuid[] not null check (cardinality(podcast_ids) > 0),
  transcripts boolean not null,
  code_challenge text not null check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  expires_at timestamptz(3) not null
);
create index site_codes_expired on site_codes (expires_at);
create index site_codes_of_user on site_codes (user_id);

create table sites (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- The site's current key, whose podcasts (api_key_podcasts) are those of the site. A revoked key means that
  -- the site is not connected.
  key_id uuid not null unique references api_keys (id),
  -- Home URL: lower-case punycode host, no default port, a slash at its end.
  site_url text not null,
  rest_root text not null,
  admin_url text,
  site_name text,
  transcripts boolean not null,
  -- Signs pings. Readable, because an HMAC needs the secret itself.
  ping_secret text not null,
  created_at timestamptz(3) not null,
  -- When the current key was issued or registered.
  connected_at timestamptz(3) not null,
  -- Null: pending.
  activated_at timestamptz(3),
  -- When the site disconnected itself; also null if its owner or a new password ended the connection.
  revoked_at timestamptz(3),

  -- What the site reported last.
  plugin_version text,
  wp_version text,
  php_version text,
  reported_at timestamptz(3),
  last_sync_at timestamptz(3),
  -- Of all reports since the site was connected.
  sync_error_count bigint not null default 0,

  -- The newest seq. A new one is given under the lock of this row.
  head_seq bigint not null default 0,
  -- Which server's transactions the snapshots of site_podcasts refer to; null: there is no snapshot yet.
  history text,
  -- Positions that no site can have received, unless a backup was restored since.
  lost_positions int8multirange not null default '{}'
);
-- One connection for each home URL of a user; a reconnection keeps the row.
create unique index sites_of_user on sites (user_id, site_url);

-- The last request of each site for its change feed.
create table site_calls (
  site_id uuid primary key references sites (id) on delete cascade,
  after_seq bigint not null,
  called_at timestamptz(3) not null
);

-- The podcasts that a site follows, and up to where site_changes include their content. The row of a show
-- that has ended is deleted.
create table site_podcasts (
  site_id uuid not null references sites (id) on delete cascade,
  -- Not a foreign key: a deleted podcast leaves tombstones.
  podcast_id uuid not null,
  -- site_changes include all content that was committed in this snapshot, and public at this time.
  snapshot pg_snapshot,
  as_of timestamptz(3),
  -- Of what all episodes take from the podcast, the installation and the rules of the content.
  common_hash text,
  -- While all episodes are compared, in parts: the last one, in the order of episodes_public. Then `snapshot`,
  -- `as_of` and `common_hash` are those of the beginning.
  scanned_time timestamptz(3),
  scanned_id uuid,
  -- The lowest position from which a page omitted contents of the show, because its plan had lapsed or its
  -- owner withheld them; null: none did. They get new numbers when the site can read them again.
  withheld_after bigint,
  primary key (site_id, podcast_id),
  check ((scanned_time is null) = (scanned_id is null)),
  check ((snapshot is null) = (as_of is null))
);
create index site_podcasts_of_podcast on site_podcasts (podcast_id);

-- Episodes as sites show them, shared by all sites with the same content.
create table site_contents (
  hash text primary key,
  content json not null,
  -- The content that is its list of people, if that is long: the roster of a show would be in each episode.
  people_hash text references site_contents (hash),
  -- When a change last referred to it; unused ones are deleted after a day.
  used_at timestamptz(3) not null
);
create index site_contents_by_use on site_contents (used_at);
-- Whether a list of people is in use.
create index site_contents_by_people on site_contents (people_hash) where people_hash is not null;

-- The newest change of each episode, for each site.
create table site_changes (
  site_id uuid not null references sites (id) on delete cascade,
  episode_id uuid not null,
  podcast_id uuid not null,
  seq bigint not null,
  -- Null: a tombstone.
  content_hash text references site_contents (hash),
  reason text check (reason in ('unpublished', 'deleted', 'show_removed')),
  changed_at timestamptz(3) not null,
  primary key (site_id, episode_id),
  check ((content_hash is null) = (reason is not null))
);
-- Pages of the feed.
create unique index site_changes_in_order on site_changes (site_id, seq);
-- What remains of a show that ends, and what is no longer public.
create index site_changes_of_podcast on site_changes (site_id, podcast_id, seq)
  where content_hash is not null or reason = 'unpublished';
create index site_changes_by_content on site_changes (content_hash) where content_hash is not null;

-- What a site reported about its posts.
create table site_posts (
  site_id uuid not null references sites (id) on delete cascade,
  episode_id uuid not null,
  podcast_id uuid not null,
  post_url text not null,
  state text not null check (state in ('queued', 'scheduled', 'published', 'draft', 'trashed')),
  wp_post_id bigint not null check (wp_post_id between 1 and 9007199254740991),
  content_hash text,
  reported_at timestamptz(3) not null,
  -- Since when the post no longer belongs to the episode; the site keeps the post.
  detached_at timestamptz(3),
  primary key (site_id, episode_id)
);
create index site_posts_by_time on site_posts (site_id, reported_at desc, episode_id desc);

-- The pings that are due, and the results of the last ones.
create table site_pings (
  site_id uuid primary key references sites (id) on delete cascade,
  -- When to send the next one; null: nothing is due. Which podcasts may have changed is not stored: the sender
  -- reads the site's feed.
  due_at timestamptz(3),
  sent_at timestamptz(3),
  -- The newest seq that a successful ping announced.
  sent_seq bigint not null default 0,
  -- Failures since the last success or call.
  failures integer not null default 0,
  first_failed_at timestamptz(3),
  last_error text,
  -- The worker that is sending, and until when no other may. Until then, due_at is that of later changes. A
  -- claim that expires makes the ping due again.
  claim uuid,
  claimed_until timestamptz(3),
  check ((claim is null) = (claimed_until is null))
);
-- Sites that failed have a queue of their own, so that they do not delay others.
create index site_pings_due on site_pings (due_at) where due_at is not null and failures = 0;
create index site_pings_to_retry on site_pings (due_at) where due_at is not null and failures > 0;
create index site_pings_claimed on site_pings (claimed_until) where claimed_until is not null;

-- One row: publications until this time have made their pings due. episodes_by_publication finds later ones.
create table site_ping_clock (
  singleton boolean primary key default true check (singleton),
  published_until timestamptz(3) not null
);
insert into site_ping_clock (published_until) values (now());
