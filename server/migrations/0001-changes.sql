-- Changes: what consumers read once each, and what processes compare with the snapshot that they saw last.
-- No foreign keys here: deletions are changes, too.

create table change_events (
  -- In the order of writing; of two changes of one row, the later has the higher.
  id bigint generated always as identity primary key,
  -- The position at which consumers read it, given after the commit and without gaps; null until then.
  seq bigint unique,
  kind text not null,
  podcast_id uuid,
  episode_id uuid,
  user_id uuid,
  previous_user_id uuid,
  account_id uuid,
  -- The user who made the change; null: the operator or the service.
  actor_user_id uuid,
  created_at timestamptz(3) not null
);
create index change_events_unnumbered on change_events (id) where seq is null;

-- One row, locked by the process that numbers events.
create table change_head (
  is_head boolean primary key default true check (is_head),
  seq bigint not null
);
insert into change_head (seq) values (0);

-- The last position that each consumer has handled. The migration that introduces a consumer adds its row.
create table change_consumers (
  name text primary key,
  seq bigint not null
);
insert into change_consumers (name, seq) values ('notices', 0), ('site-pings', 0);

-- Which transaction changed which podcast, for a while. A process that caches responses compares the rows
-- with the last snapshot it saw: it has missed what that snapshot did not include. Written beside the
-- NOTIFY, which can get lost with its connection.
create table podcast_changes (
  xid xid8 not null default pg_current_xact_id(),
  podcast_id uuid not null,
  -- Finds all changes since a snapshot.
  primary key (xid, podcast_id)
);

-- One row: changes of earlier transactions may have been deleted.
create table podcast_changes_horizon (
  is_horizon boolean primary key default true check (is_horizon),
  xid xid8 not null
);
insert into podcast_changes_horizon (xid) values ('0');

-- Which transaction last changed the content of an episode or a podcast. Unlike podcast_changes, a row is
-- deleted only with its podcast: a site may return after a year.
create table content_changes (
  podcast_id uuid not null,
  -- The id of an episode, possibly a deleted one, or of the podcast itself: its slug, images, people.
  subject_id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (podcast_id, subject_id)
);
-- Finds what a snapshot did not include.
create index content_changes_by_transaction on content_changes (podcast_id, xid);

-- Which transaction left work for which job, for a while: like podcast_changes, for workers that missed the
-- NOTIFY.
create table announced_work (
  xid xid8 not null default pg_current_xact_id(),
  job text not null,
  -- Finds all work since a snapshot.
  primary key (xid, job)
);
