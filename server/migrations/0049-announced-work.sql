-- Which transaction left work for which job, for a while: as podcast_changes, for workers that missed the
-- NOTIFY. Serves the question for all work since a snapshot.
create table announced_work (
  xid xid8 not null default pg_current_xact_id(),
  job text not null,
  primary key (xid, job)
);
