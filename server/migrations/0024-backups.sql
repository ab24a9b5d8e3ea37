-- The restore of a backup into this database. While it is not finished, no server starts.
create table restores (
  -- One at most: a restore needs an empty database.
  singleton boolean primary key default true check (singleton),
  -- The name of the snapshot in its repository.
  snapshot text not null,
  begun_at timestamptz(3) not null,
  -- All rows are there.
  loaded_at timestamptz(3),
  -- Everything was compared with the backup.
  finished_at timestamptz(3),
  -- How many differences were found. With any, it may run again.
  differences integer
);

-- The newest complete backup of this installation, wherever it was written.
create table last_backup (
  singleton boolean primary key default true check (singleton),
  snapshot text not null,
  -- When all rows were as they are in it.
  created_at timestamptz(3) not null
);
