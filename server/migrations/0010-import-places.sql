-- How far any process has come with an import: the phase, as a number, and how much of it is left.
-- An import starts from its beginning in every process, and finds most of it done.
alter table imports
  add column reached_phase smallint not null default 0,
  add column reached_left integer not null default 2147483647,
  -- Processes that died of it, or with it, since it last came further than ever before.
  add column deaths integer not null default 0;
