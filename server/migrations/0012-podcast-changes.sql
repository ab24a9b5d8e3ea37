-- Which transaction changed which podcast, for a while. A process that keeps answers compares it with
-- the snapshot it saw last: whatever that one did not show is news. Written beside the NOTIFY, which
-- may get lost with its connection.
create table podcast_changes (
  xid xid8 not null default pg_current_xact_id(),
  podcast_id uuid not null,
  -- Serves the question for all changes since a snapshot.
  primary key (xid, podcast_id)
);

-- Its one row: changes of transactions below may have been deleted.
create table podcast_changes_horizon (
  is_horizon boolean primary key default true check (is_horizon),
  xid xid8 not null
);
insert into podcast_changes_horizon (xid) values ('0');
