-- Connected sites: approvals, sites, and the change feed of each.
-- docs/decisions/0092 explains the feed, 0094 the queue of pings.

-- Approved connections that wait for the exchange of their one-time code.
create table site_codes (
  -- SHA-256 of the code.
  hash bytea primary key check (length(hash) = 32),
  -- SHA-256 of the user's password hash at the approval: a code is dead when the password changes.
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
  -- The site's current key. Its podcasts (api_key_podcasts) are those of the site. A revoked key
  -- means that the site is not connected.
  key_id uuid not null unique references api_keys (id),
  -- Home address: lower-case punycode host, no default port, a slash at its end.
  site_url text not null,
  rest_root text not null,
  admin_url text,
  site_name text,
  transcripts boolean not null,
  -- Signs pings; must be readable, because an HMAC needs the secret itself.
  ping_secret text not null,
  created_at timestamptz(3) not null,
  -- When the current key was issued or registered.
  connected_at timestamptz(3) not null,
  -- Null: pending.
  activated_at timestamptz(3),
  -- When the site disconnected itself; null also where its owner or a new password did.
  revoked_at timestamptz(3),

  -- What the site reported last.
  plugin_version text,
  wp_version text,
  php_version text,
  reported_at timestamptz(3),
  last_sync_at timestamptz(3),
  -- Of all reports since the site was connected.
  sync_error_count bigint not null default 0,

  -- The newest seq. Whoever gives a new one locks this row.
  head_seq bigint not null default 0,
  -- Which server's transactions the snapshots of site_podcasts count; null: none was taken yet.
  history text,
  -- Positions that no site can have been given, unless a backup was restored since.
  lost_positions int8multirange not null default '{}'
);
-- One connection for each home address of a user; a reconnection keeps the row.
create unique index sites_of_user on sites (user_id, site_url);

-- The site's last call of its change feed.
create table site_calls (
  site_id uuid primary key references sites (id) on delete cascade,
  after_seq bigint not null,
  called_at timestamptz(3) not null
);

-- What changed an episode's or a podcast's content last. Deleted with the podcast alone, unlike
-- podcast_changes: a site may come back after a year.
create table content_changes (
  podcast_id uuid not null,
  -- An episode's id, also of a deleted one, or the podcast's own: its slug, images, people.
  subject_id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (podcast_id, subject_id)
);
-- Finds what a snapshot did not show.
create index content_changes_by_transaction on content_changes (podcast_id, xid);

-- The podcasts that a site follows, and up to where its changes hold their content. The row of a show
-- that has ended is deleted.
create table site_podcasts (
  site_id uuid not null references sites (id) on delete cascade,
  -- No foreign key: a deleted podcast leaves tombstones.
  podcast_id uuid not null,
  -- Content that was committed in this snapshot, and public at this time, is in site_changes.
  snapshot pg_snapshot,
  as_of timestamptz(3),
  -- Of what all episodes take from the podcast, the installation and the rules of the content.
  common_hash text,
  -- While all episodes are compared, in pieces: the last one, by episodes_public. Then `snapshot`,
  -- `as_of` and `common_hash` are those of the beginning.
  scanned_time timestamptz(3),
  scanned_id uuid,
  -- The lowest position from which a page left out contents of the show, because its plan had lapsed
  -- or its owner kept them back; null: none did. They get new numbers when they may be read again.
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
  -- When a change referred to it last; unused ones are deleted after a day.
  used_at timestamptz(3) not null
);
create index site_contents_by_use on site_contents (used_at);

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
-- What a show that ends leaves, and what is not public any more.
create index site_changes_of_podcast on site_changes (site_id, podcast_id, seq)
  where content_hash is not null or reason = 'unpublished';
create index site_changes_by_content on site_changes (content_hash) where content_hash is not null;

-- What a site reported of its posts.
create table site_posts (
  site_id uuid not null references sites (id) on delete cascade,
  episode_id uuid not null,
  podcast_id uuid not null,
  post_url text not null,
  state text not null check (state in ('queued', 'scheduled', 'published', 'draft', 'trashed')),
  wp_post_id bigint not null check (wp_post_id between 1 and 9007199254740991),
  content_hash text,
  reported_at timestamptz(3) not null,
  -- Since when the post is no longer the episode's; the site keeps it.
  detached_at timestamptz(3),
  primary key (site_id, episode_id)
);
create index site_posts_by_time on site_posts (site_id, reported_at desc, episode_id desc);

-- Pings that sites are owed, and what became of the last ones.
create table site_pings (
  site_id uuid primary key references sites (id) on delete cascade,
  -- When to send the next one; null: nothing is due.
  due_at timestamptz(3),
  -- Which podcasts may have changed needs no list: the sender reads the site's feed.
  sent_at timestamptz(3),
  -- The newest seq that a successful ping told.
  sent_seq bigint not null default 0,
  -- Failures since the last success or call.
  failures integer not null default 0,
  first_failed_at timestamptz(3),
  last_error text,
  -- Of the worker that is sending, and until when nobody else may. Then due_at is that of what
  -- changed meanwhile. A claim that ends this way makes the ping due again.
  claim uuid,
  claimed_until timestamptz(3),
  check ((claim is null) = (claimed_until is null))
);
-- Sites that failed have a queue of their own, so that they delay no others.
create index site_pings_due on site_pings (due_at) where due_at is not null and failures = 0;
create index site_pings_to_retry on site_pings (due_at) where due_at is not null and failures > 0;
create index site_pings_claimed on site_pings (claimed_until) where claimed_until is not null;

-- Its one row: publications until this time have made their pings due.
create table site_ping_clock (
  singleton boolean primary key default true check (singleton),
  published_until timestamptz(3) not null
);
insert into site_ping_clock (published_until) values (now());
-- Finds what has become public in between, in all podcasts.
create index episodes_by_publication on episodes (public_from) where public_from is not null;

insert into change_consumers (name, seq) select 'site-pings', seq from change_head;
